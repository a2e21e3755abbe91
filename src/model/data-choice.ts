/** What happens to the data of a removed store. `keep`: it stays outside the stack, as a snapshot or a volume. `delete`: nothing of it stays. */
export type DataChoice = 'keep' | 'delete';

/**
 * What holds data that nobody can make again. `files`: shared files, and the persistent files of a layer. `disk`: the disk of a
 * server outside groups. Replicas and Memcached hold only copies.
 */
export const storeKinds = ['database', 'cache', 'files', 'disk'] as const;
export type StoreKind = (typeof storeKinds)[number];
