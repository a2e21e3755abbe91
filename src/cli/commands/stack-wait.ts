import type { Run } from '../command.ts';

export const waitForIt: Run = async () => {
  throw new Error('not written yet');
};
