import type { Run } from '../command.ts';

export const attachRole: Run = async () => {
  throw new Error('not written yet');
};

export const createRoleOrUser: Run = async () => {
  throw new Error('not written yet');
};

export const deleteRole: Run = async () => {
  throw new Error('not written yet');
};

export const detachRole: Run = async () => {
  throw new Error('not written yet');
};

export const reattachRole: Run = async () => {
  throw new Error('not written yet');
};

export const updateRole: Run = async () => {
  throw new Error('not written yet');
};
