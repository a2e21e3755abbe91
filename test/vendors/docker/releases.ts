import type { DataChoice } from '../../../src/model/data-choice.ts';
import type { Release } from '../../../src/vendors/data.ts';
import type { ObservedVolume } from '../../../src/vendors/docker/observed-stack.ts';

/** A caller's word about a store. */
export const release = (storeId: string, choice: DataChoice): Release => ({
  storeId,
  resource: 'any',
  kind: 'database',
  choice,
});

/** A caller's word about the stores in volumes whose names have this text; by default, about all. */
export const releasesOf = (volumes: readonly ObservedVolume[], choice: DataChoice, text = ''): Release[] =>
  volumes.filter(({ name }) => name.includes(text)).map(({ storeId }) => release(storeId, choice));
