import type { Run } from '../command.ts';

export const describeTemplate: Run = async () => {
  throw new Error('not written yet');
};

export const listVersions: Run = async () => {
  throw new Error('not written yet');
};
