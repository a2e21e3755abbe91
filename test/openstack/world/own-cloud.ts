import { paced } from './paced.ts';
import { patiently } from './steps.ts';
import type { OpenStackWorld } from './world.ts';

/** What the services list for the user of a project of its own, who is not an administrator: theirs would be of all projects. */

interface Stack {
  id: string;
  stack_name: string;
}

async function stacksIn({ cloud }: OpenStackWorld): Promise<readonly Stack[]> {
  const request = { service: 'orchestration', path: '/stacks' } as const;
  return (await patiently(() => cloud.read<{ stacks: Stack[] }>(request))).stacks;
}

/** Deletes what a failed test left. */
export async function removeStacks(world: OpenStackWorld): Promise<void> {
  for (const { id, stack_name } of await stacksIn(world))
    await world.cloud.change({
      service: 'orchestration',
      method: 'DELETE',
      path: `/stacks/${stack_name}/${id}`,
    });
  await paced(
    () => stacksIn(world),
    (left) => left.length === 0,
  );
}
