import type { Run } from '../command.ts';

export const describeOwnRoles: Run = async () => {
  throw new Error('not written yet');
};

export const describeRoles: Run = async () => {
  throw new Error('not written yet');
};

export const listScopeTemplates: Run = async () => {
  throw new Error('not written yet');
};

export const printSample: Run = async () => {
  throw new Error('not written yet');
};
