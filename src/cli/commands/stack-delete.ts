import type { Run } from '../command.ts';

export const deleteStack: Run = async () => {
  throw new Error('not written yet');
};
