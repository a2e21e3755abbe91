import type { Run } from '../command.ts';

export const deleteProfile: Run = async () => {
  throw new Error('not written yet');
};

export const listProfiles: Run = async () => {
  throw new Error('not written yet');
};

export const selectProfile: Run = async () => {
  throw new Error('not written yet');
};
