import type { Run } from '../command.ts';

export const showEvents: Run = async () => {
  throw new Error('not written yet');
};
