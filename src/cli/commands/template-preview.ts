import type { Run } from '../command.ts';

export const previewTemplate: Run = async () => {
  throw new Error('not written yet');
};
