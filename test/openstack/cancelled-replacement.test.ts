import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Release } from '../../src/vendors/data.ts';
import type { StackOnVendor } from '../../src/vendors/vendor.ts';
import { type Wanted, withDatabase } from './world/database-document.ts';
import { removeStacks } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { paced } from './world/paced.ts';
import { describeOnFullRig } from './world/rig.ts';
import { patiently, reconcile } from './world/steps.ts';
import { agentToken, OpenStackWorld } from './world/world.ts';

interface Instance {
  id: string;
  status: string;
  datastore: { type: string };
}

// One stack for all: a database takes minutes to build.
describeOnFullRig('a confirmed replacement of a database that is cancelled', { retry: 0 }, () => {
  let project: OwnProject;
  let world: OpenStackWorld;
  let stack: StackOnVendor;
  let id: string;
  beforeAll(async () => {
    project = await ownProject();
    world = new OpenStackWorld({ user: project.user });
    stack = world.newStack();
    expect(await goBack('v1')).toMatchObject({ kind: 'settled', version: 'v1' });
    id = (await instances())[0]?.id ?? '';
  });
  afterAll(async () => {
    await removeStacks(world);
    await project.remove();
  });

  const mysql: Wanted = { size: 2 };
  const goBack = (version: string) =>
    reconcile(world, stack, { document: withDatabase(stack, mysql), version });

  const instances = async (): Promise<readonly Instance[]> => {
    const request = { service: 'database', path: '/instances' } as const;
    return (await patiently(() => world.cloud.read<{ instances: Instance[] }>(request))).instances;
  };

  /** Replaces the database, as the caller confirmed, and goes on with something slow after it. */
  const replace = (version: string) => {
    const document = withDatabase(stack, {
      size: 2,
      engine: 'postgresql',
      other: { value: 'y', wait_secs: 60 },
    });
    const releases: Release[] = [
      { storeId: id, resource: 'Databasemain', kind: 'database', choice: 'delete' },
    ];
    return patiently(() => world.driver.apply(stack, { document, version, agentToken, releases }));
  };
  const statusOfNew = async (): Promise<string> =>
    (await instances()).find((each) => each.id !== id)?.status ?? '';

  it.each([
    ['while the new one is being built', 'v2', 'BUILD'],
    ['when the new one is complete', 'v4', 'ACTIVE'],
  ])('%s, ends with the old one, and without the new one', async (_, version, status) => {
    expect(await replace(version)).toMatchObject({ accepted: true });
    await paced(statusOfNew, (found) => found === status);
    expect(await patiently(() => world.driver.cancelUpdate(stack, version))).toEqual({ cancelled: true });
    const next = `back from ${version}`.replaceAll(' ', '-');
    expect(await goBack(next)).toMatchObject({ kind: 'settled', version: next });
    const left = await paced(instances, (found) => found.length === 1);
    expect(left).toMatchObject([{ id, status: 'ACTIVE' }]);
  });
});
