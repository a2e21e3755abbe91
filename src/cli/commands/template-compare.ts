import type { Run } from '../command.ts';

export const compareTemplates: Run = async () => {
  throw new Error('not written yet');
};
