import { ifThere } from '../../../src/vendors/openstack/errors.ts';
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

/** Does not wait until they are gone. */
export async function requestDeletions(world: OpenStackWorld): Promise<void> {
  for (const { id, stack_name } of await stacksIn(world))
    await ifThere(() =>
      world.cloud.change({
        service: 'orchestration',
        method: 'DELETE',
        path: `/stacks/${stack_name}/${id}`,
      }),
    );
}

/** Deletes what a failed test left. */
export async function removeStacks(world: OpenStackWorld): Promise<void> {
  await requestDeletions(world);
  await paced(
    () => stacksIn(world),
    (left) => left.length === 0,
  );
}

/** Also the volumes that outlive their stacks. */
export async function clearProject(world: OpenStackWorld): Promise<void> {
  await removeStacks(world);
  const service = 'volumev3';
  const { volumes } = await patiently(() =>
    world.cloud.read<{ volumes: { id: string }[] }>({ service, path: '/volumes' }),
  );
  for (const { id } of volumes)
    await world.cloud.change({ service, method: 'DELETE', path: `/volumes/${id}` });
}
