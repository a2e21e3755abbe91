import { storeName } from '../../model/names.ts';

/** The name of a database, cache or layer, from the name of a resource: after the kind and before a number. */
export const storeNameIn = (resource: string, kind: RegExp): string =>
  storeName(resource.replace(kind, '').replace(/-\d+$/, ''));
