import type { Run } from '../command.ts';

export const reset: Run = async () => {
  throw new Error('not written yet');
};
