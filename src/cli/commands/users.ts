import type { Run } from '../command.ts';

export const changePassword: Run = async () => {
  throw new Error('not written yet');
};

export const createUser: Run = async () => {
  throw new Error('not written yet');
};

export const deleteUser: Run = async () => {
  throw new Error('not written yet');
};

export const describeUser: Run = async () => {
  throw new Error('not written yet');
};

export const listUsers: Run = async () => {
  throw new Error('not written yet');
};
