import type { Run } from '../command.ts';

export const describeContainer: Run = async () => {
  throw new Error('not written yet');
};

export const listContainers: Run = async () => {
  throw new Error('not written yet');
};
