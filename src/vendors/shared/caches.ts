import type { Cache } from '../../model/stack-model.ts';

/** Redis has one primary and replicas. Memcached has independent nodes. */
const hasReplicas: Readonly<Record<Cache['engine'], boolean>> = { redis: true, memcached: false };

/** The role of a cache node, by its index in the cache. */
export const nodeRole = ({ engine }: Cache, index: number): 'primary' | 'replica' =>
  hasReplicas[engine] && index > 0 ? 'replica' : 'primary';
