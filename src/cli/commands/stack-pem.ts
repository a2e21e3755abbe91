import type { Run } from '../command.ts';

export const printKey: Run = async () => {
  throw new Error('not written yet');
};
