import { resourceSuffix } from '../../model/names.ts';

/** The name of a database, cache or layer as the names of its stores have it. */
export const storeName = (name: string): string => resourceSuffix(name).toLowerCase();

/** The same from the name of a resource, after the kind and before a number. */
export const storeNameIn = (resource: string, kind: RegExp): string =>
  storeName(resource.replace(kind, '').replace(/-\d+$/, ''));
