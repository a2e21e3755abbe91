import type { Run } from '../command.ts';

export const listStacks: Run = async () => {
  throw new Error('not written yet');
};
