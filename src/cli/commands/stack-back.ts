import type { Run } from '../command.ts';

export const cancelUpdate: Run = async () => {
  throw new Error('not written yet');
};

export const rollBack: Run = async () => {
  throw new Error('not written yet');
};
