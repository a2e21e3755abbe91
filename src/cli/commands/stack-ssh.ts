import type { Run } from '../command.ts';

export const openTerminal: Run = async () => {
  throw new Error('not written yet');
};
