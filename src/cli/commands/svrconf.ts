import type { Run } from '../command.ts';

export const showServerConfig: Run = async () => {
  throw new Error('not written yet');
};

export const updateServerConfig: Run = async () => {
  throw new Error('not written yet');
};
