import type { Run } from '../command.ts';

export const addCredential: Run = async () => {
  throw new Error('not written yet');
};

export const deleteCredential: Run = async () => {
  throw new Error('not written yet');
};

export const listCredentials: Run = async () => {
  throw new Error('not written yet');
};
