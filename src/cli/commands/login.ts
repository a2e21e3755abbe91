import type { Run } from '../command.ts';

export const login: Run = async () => {
  throw new Error('not written yet');
};
