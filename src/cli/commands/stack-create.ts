import type { Run } from '../command.ts';

export const createStack: Run = async () => {
  throw new Error('not written yet');
};
