import type { Run } from '../command.ts';

export const deleteImage: Run = async () => {
  throw new Error('not written yet');
};

export const showCatalog: Run = async () => {
  throw new Error('not written yet');
};

export const showManifest: Run = async () => {
  throw new Error('not written yet');
};

export const showTags: Run = async () => {
  throw new Error('not written yet');
};

export const showToken: Run = async () => {
  throw new Error('not written yet');
};
