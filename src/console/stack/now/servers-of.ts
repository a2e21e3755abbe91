import type { Server } from '../../picture/lanes.ts';
import type { Resource } from '../../picture/resource.ts';
import type { RolloutInstance } from '../data/rollouts.ts';
import type { StackNow } from '../data/stack-now.ts';

export const serversOf = (
  { instances }: StackNow,
  applications: ReadonlyMap<string, RolloutInstance>,
): Server[] =>
  instances.map(({ InstanceId, InstanceType, PrivateIpAddress, PublicIpAddress, flag = '' }) => ({
    id: InstanceId,
    layer: flag,
    about: [InstanceType, PrivateIpAddress].filter(Boolean).join(' · '),
    isPublic: PublicIpAddress !== '',
    application: applications.get(InstanceId) ?? null,
  }));

/** What is known about databases and caches, by the name of the resource. */
export function aboutData(
  { databases, caches }: StackNow,
  resources: readonly Resource[],
): Record<string, string> {
  const byId = new Map<string, string>([
    ...databases.map(
      (each) =>
        [
          each.DBInstanceIdentifier,
          `${each.Engine} ${each.EngineVersion} · ${each.AllocatedStorage} GB`,
        ] as const,
    ),
    ...caches.map(
      ({ CacheClusterId, Engine, CacheNodeType }) =>
        [CacheClusterId, `${Engine} · ${CacheNodeType}`] as const,
    ),
  ]);
  return Object.fromEntries(
    resources.flatMap(({ name, physical_id }) => {
      const about = physical_id === null ? undefined : byId.get(physical_id);
      return about ? [[name, about]] : [];
    }),
  );
}
