import type { Run } from '../command.ts';

export const exportAudit: Run = async () => {
  throw new Error('not written yet');
};

export const listAudit: Run = async () => {
  throw new Error('not written yet');
};
