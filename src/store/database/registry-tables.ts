/** The tables of the container registry: keys of its tokens, and the index of what is in it. */
export interface RegistryTables {
  registry_keys: RegistryKeyTable;
  registry_repositories: RegistryRepositoryTable;
  registry_images: RegistryImageTable;
  version_pulls: VersionPullTable;
}

/** A repository that the agents of a stack may pull from. Without a row the version only names it. */
interface VersionPullTable {
  version_id: string;
  repository: string;
}

/** A key that signs registry tokens. At most one is `current`, and at most one `next`. */
export interface RegistryKeyTable {
  /** The key id, in the form that the registry computes from the certificate. */
  id: string;
  sealed_key: string;
  /** PEM. Registries that have it accept tokens of this key. */
  certificate: string;
  /** `next`: not used yet, while registries get its certificate; `old`: no longer used, but still in the bundle. */
  state: 'next' | 'current' | 'old';
  created_at: number;
}

export interface RegistryRepositoryTable {
  /** Unique on the server: it starts with the account's id, except in the first account. */
  name: string;
  account_id: string;
  description: string;
  visibility: 'private' | 'public';
  created_at: number;
  updated_at: number;
}

/** A tag, as the registry had it when it was last asked. */
export interface RegistryImageTable {
  repository: string;
  tag: string;
  digest: string;
  media_type: string;
  /** Bytes of all layers and configurations, compressed. */
  size: number;
  /** JSON array, such as `["linux/amd64"]`. */
  platforms: string;
  /** Who pushed it; empty: not known. */
  pushed_by: string;
  pushed_at: number | null;
  pulled_at: number | null;
}
