import type { Run } from '../command.ts';

export const runScripts: Run = async () => {
  throw new Error('not written yet');
};
