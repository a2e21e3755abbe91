import type { Run } from '../command.ts';

export const printCompletion: Run = async () => {
  throw new Error('not written yet');
};
