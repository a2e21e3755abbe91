import type { Run } from '../command.ts';

export const applyTemplate: Run = async () => {
  throw new Error('not written yet');
};
