import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StackOnVendor } from '../../src/vendors/vendor.ts';
import { type Wanted, withDatabase } from './world/database-document.ts';
import { removeStacks } from './world/own-cloud.ts';
import { type OwnProject, ownProject } from './world/own-project.ts';
import { paced } from './world/paced.ts';
import { releasesOf } from './world/releases.ts';
import { describeOnFullRig } from './world/rig.ts';
import { patiently, reconcile } from './world/steps.ts';
import { OpenStackWorld } from './world/world.ts';

interface Shown {
  instance: { status: string; volume: { size: number } };
}

// One stack for all: a database takes minutes to build.
describeOnFullRig('the data of a database', { retry: 0 }, () => {
  let project: OwnProject;
  let world: OpenStackWorld;
  let stack: StackOnVendor;
  let id: string;
  beforeAll(async () => {
    project = await ownProject();
    world = new OpenStackWorld({ user: project.user });
    stack = world.newStack();
    expect(await update('v1', { size: 2 })).toMatchObject({ kind: 'settled', version: 'v1' });
    id = await databaseOf();
  });
  afterAll(async () => {
    await removeStacks(world);
    await project.remove();
  });

  const update = (version: string, wanted: Wanted) =>
    reconcile(world, stack, { document: withDatabase(stack, wanted), version });

  const read = <T>(service: 'database' | 'orchestration', path: string): Promise<T> =>
    patiently(() => world.cloud.read<T>({ service, path }));

  const show = async () => (await read<Shown>('database', `/instances/${id}`)).instance;

  /** The id of the database in Trove, as Heat knows it. */
  const databaseOf = async (): Promise<string> => {
    const [listed] = await world.listed(stack);
    const path = `/stacks/${stack.id}/${listed?.id}/resources/Databasemain`;
    type Row = { resource: { physical_resource_id: string } };
    return (await read<Row>('orchestration', path)).resource.physical_resource_id;
  };

  const instances = async (): Promise<string[]> =>
    (await read<{ instances: { id: string }[] }>('database', '/instances')).instances.map((row) => row.id);

  /** Trove shows the state of the server that it runs for the database, in a project of its own. */
  const setServerState = async (state: 'error' | 'active'): Promise<void> => {
    const { cloud } = new OpenStackWorld({ user: 'admin' });
    const path = `/servers?all_tenants=1&name=${stack.id}-main`;
    type Answer = { servers: { id: string }[] };
    const { servers } = await patiently(() => cloud.read<Answer>({ service: 'compute', path }));
    expect(servers).toHaveLength(1);
    const body = { 'os-resetState': { state } };
    await patiently(() =>
      cloud.change({ service: 'compute', method: 'POST', path: `/servers/${servers[0]?.id}/action`, body }),
    );
  };

  /** Neither replaced nor joined by another. */
  const isKept = async (): Promise<void> => {
    expect(await databaseOf()).toBe(id);
    expect(await instances()).toEqual([id]);
  };

  it('stays after a change of it failed, and the next update changes it', async () => {
    expect(await update('v2', { size: 2, names: ['app', 'mysql'] })).toMatchObject({
      kind: 'broken',
      version: 'v2',
    });
    await isKept();
    expect(await update('v3', { size: 3 })).toMatchObject({ kind: 'settled', version: 'v3' });
    await isKept();
    expect(await show()).toMatchObject({ status: 'ACTIVE', volume: { size: 3 } });
  });

  it('stays enlarged after another part of the same update failed, and cannot shrink', async () => {
    expect(await update('v4', { size: 4, other: { fail: true } })).toMatchObject({
      kind: 'broken',
      version: 'v4',
    });
    await isKept();
    expect(await show()).toMatchObject({ status: 'ACTIVE', volume: { size: 4 } });
    const smaller = withDatabase(stack, { size: 3 });
    expect(await patiently(() => world.apply(stack, smaller, 'v5'))).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('cannot shrink'),
    });
    expect(await update('v6', { size: 4, other: { value: 'y' } })).toMatchObject({ kind: 'settled' });
    await isKept();
  });

  it('stays after a drift check found it in an error', async () => {
    await setServerState('error');
    await paced(show, ({ status }) => status !== 'ACTIVE');
    expect(await patiently(async () => world.driver.startDriftCheck?.(stack))).toEqual({ accepted: true });
    expect(await world.atRest(stack)).toBe('CHECK_FAILED');
    await setServerState('active');
    await paced(show, ({ status }) => status === 'ACTIVE');
    expect(await update('v7', { size: 4, other: { value: 'z' } })).toMatchObject({ kind: 'settled' });
    await isKept();
  });

  it('a deletion that keeps data is refused where the cloud has no storage for backups, and one that deletes data leaves nothing', async () => {
    const releases = await releasesOf(world.driver, stack, 'keep');
    expect(await world.driver.remove(stack, { releases, intent: 'delete 1' })).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('no storage for backups'),
    });
    await isKept();
    expect(await reconcile(world, stack, 'delete')).toMatchObject({ kind: 'absent' });
    await paced(instances, (left) => left.length === 0);
  });
});
