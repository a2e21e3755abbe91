import type { Run } from '../command.ts';

export const updateStack: Run = async () => {
  throw new Error('not written yet');
};
