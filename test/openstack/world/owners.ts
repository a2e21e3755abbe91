import { patiently } from './steps.ts';
import type { OpenStackWorld } from './world.ts';

interface Server {
  metadata: { almanac_stack?: string };
}

/** The names of all stacks of a project. A name that Heat has twice is there twice. */
export async function stackNames({ cloud }: OpenStackWorld): Promise<string[]> {
  const request = { service: 'orchestration', path: '/stacks' } as const;
  const { stacks } = await patiently(() => cloud.read<{ stacks: { stack_name: string }[] }>(request));
  return stacks.map(({ stack_name }) => stack_name).toSorted();
}

/** The stack of every server of a project. */
export async function serverOwners({ cloud }: OpenStackWorld): Promise<string[]> {
  const request = { service: 'compute', path: '/servers/detail' } as const;
  const { servers } = await patiently(() => cloud.read<{ servers: Server[] }>(request));
  return servers.map(({ metadata }) => metadata.almanac_stack ?? 'none').toSorted();
}
