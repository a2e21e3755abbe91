import type { Run } from '../command.ts';

export const createClient: Run = async () => {
  throw new Error('not written yet');
};

export const deleteClient: Run = async () => {
  throw new Error('not written yet');
};

export const listClients: Run = async () => {
  throw new Error('not written yet');
};

export const rotateClient: Run = async () => {
  throw new Error('not written yet');
};
