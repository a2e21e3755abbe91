import type { Run } from '../command.ts';

export const describeStack: Run = async () => {
  throw new Error('not written yet');
};
