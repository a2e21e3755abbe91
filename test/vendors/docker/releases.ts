import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { Release } from '../../../src/vendors/data.ts';
import { storesOf } from '../../../src/vendors/docker/data.ts';
import type { DockerDocument } from '../../../src/vendors/docker/document.ts';

/** A caller's word about the store of one resource. */
export const release = (resource: string, choice: DataChoice): Release => ({
  storeId: `id of ${resource}`,
  resource,
  kind: 'database',
  choice,
});

/** Deletes the data of all stores in these documents. */
export const deletionOf = (...documents: readonly DockerDocument[]): Release[] =>
  documents.flatMap(storesOf).map(({ resource, kind }) => ({ ...release(resource, 'delete'), kind }));
