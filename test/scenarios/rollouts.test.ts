import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppFault } from '../../src/model/app-fault.ts';
import { readRollouts } from '../../src/operations/rollouts/read-rollouts.ts';
import { returnRollout } from '../../src/operations/rollouts/return-rollout.ts';
import { readVersions } from '../../src/operations/stacks/read/read-versions.ts';
import { insertVersionPulls, readVersionPulls } from '../../src/store/registry/version-pulls.ts';
import { oneServer, World } from '../world.ts';
import { web } from './web.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const rolloutsOf = async (stackId: string) =>
  (await readRollouts(world.service, world.actor, { stackId })).map(({ row }) => row);

const settled = async (template: object): Promise<string> => {
  const stackId = await world.create(template);
  await world.settle();
  return stackId;
};

describe('a deployment of containers', () => {
  it('is complete only when every instance serves the new container', async () => {
    const stackId = await world.create(web('shop:1'));
    const statuses = new Set<string>();
    for (let step = 0; step < 400 && !statuses.has('CREATE_COMPLETE'); step += 1) {
      await world.advance(0.5);
      const { status } = await world.describe(stackId);
      statuses.add(status);
      const [rollout] = await rolloutsOf(stackId);
      if (status === 'CREATE_COMPLETE')
        expect(rollout).toMatchObject({ state: 'serving', wanted: 2, serving: 2 });
    }
    expect([...statuses]).toEqual(['CREATE_IN_PROGRESS', 'CREATE_COMPLETE']);
    expect(await world.describe(stackId)).toMatchObject({ health: 'serving', healthReason: '', doing: '' });
  });

  it.each<[AppFault, RegExp]>([
    ['crash', /exited with code 3.*Last lines: Error: no configuration/s],
    ['missing_image', /manifest unknown/],
    ['refused_pull', /access denied/],
    ['unhealthy', /health check/],
  ])(
    'that fails (%s) goes back as a new version, ends UPDATE_FAILED with the reason, and the version before keeps serving',
    async (mode, reason) => {
      const stackId = await settled(web('shop:1'));
      const first = await world.describe(stackId);
      await world.fault({ kind: 'fail_app', mode, image: 'shop:2' }, stackId);
      const { versionId: failed } = await world.update(stackId, web('shop:2'));
      await world.settle();
      const after = await world.describe(stackId);
      expect(after).toMatchObject({ status: 'UPDATE_FAILED', health: 'serving', doing: '' });
      expect(after.statusReason).toMatch(reason);
      expect(after.document).toEqual(first.document);
      expect([first.versionId, failed]).not.toContain(after.versionId);
      expect(
        (await rolloutsOf(stackId)).map(({ state, version_id: version }) => ({ state, version })),
      ).toEqual([
        { state: 'serving', version: after.versionId },
        { state: 'returned', version: failed },
        { state: 'serving', version: first.versionId },
      ]);
      const [newest] = await readVersions(world.service, world.actor, { stackId });
      expect(newest).toMatchObject({ id: after.versionId });
    },
  );

  it('that goes back by itself is in the audit log with its cause, and may pull what its copy might, no more', async () => {
    const stackId = await settled(web('shop:1'));
    const { versionId: first } = await world.describe(stackId);
    const { query } = world.service.database;
    await insertVersionPulls(query, first, ['shop']);
    await world.fault({ kind: 'fail_app', mode: 'crash', image: 'shop:2' }, stackId);
    await world.update(stackId, web('shop:2'));
    await world.settle();
    const { versionId } = await world.describe(stackId);
    expect([...(await readVersionPulls(query, [versionId]))]).toEqual(['shop']);
    const entries = await query.selectFrom('audit').selectAll().where('route', '=', 'automatic').execute();
    expect(entries).toMatchObject([
      { actor: 'almanac', resource: `mrn:alm:stack:${stackId}`, detail: expect.stringContaining('code 3') },
    ]);
  });

  it('that fails with on_failure: stay is UPDATE_FAILED, and stays until it is asked to return or the next update', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'crash', image: 'shop:2' }, stackId);
    const { versionId } = await world.update(stackId, web('shop:2', { more: { on_failure: 'stay' } }));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      versionId,
      health: 'serving',
    });
    await returnRollout(world.service, world.actor, { stackId });
    await world.settle();
    expect((await rolloutsOf(stackId)).map(({ state }) => state)).toEqual(['serving', 'returned', 'serving']);
    await world.update(stackId, web('shop:3', { more: { on_failure: 'stay' } }));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', health: 'serving' });
  });

  it('of a new stack that fails is CREATE_FAILED with the reason within seconds, and an update repairs it', async () => {
    await world.fault({ kind: 'fail_app', mode: 'missing_image', image: 'shop:1' });
    const stackId = await settled(web('shop:1'));
    expect(await world.describe(stackId)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason: expect.stringContaining('manifest unknown'),
      health: 'down',
    });
    await world.update(stackId, web('shop:2'));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', health: 'serving' });
  });

  it('of a new stack that fails leaves servers that may be in use: a deletion asks about their disks', async () => {
    await world.fault({ kind: 'fail_app', mode: 'crash', image: 'shop:1' });
    const stackId = await settled(web('shop:1'));
    await expect(world.delete(stackId, {})).rejects.toMatchObject({
      message: expect.stringContaining('What is only on its disk is lost'),
    });
    await world.delete(stackId);
    await world.settle();
    expect((await world.row(stackId)).status).toBe('DELETE_COMPLETE');
  });

  it('that nobody hears of fails after the time of its layer', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'silent', image: 'shop:2' }, stackId);
    await world.update(stackId, web('shop:2', { more: { rollout_timeout: 30 } }));
    await world.advance(25);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      statusReason: expect.stringContaining('in time'),
    });
  });

  it('that does not go back where that would remove data stays, and says why', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'crash', image: 'shop:2' }, stackId);
    const provision = { rds: { engine: 'mysql', storage: 20 } };
    await world.update(stackId, web('shop:2', { provision }));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      statusReason: expect.stringMatching(/exited with code 3.*stays as it is.*removes data/s),
    });
    expect((await world.inTheCloud())[stackId]?.some((name) => /database/i.test(name))).toBe(true);
  });

  it('that fails and cannot go back either ends UPDATE_FAILED after one return', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'crash' }, stackId);
    await world.update(stackId, web('shop:2'));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_FAILED', health: 'serving' });
    expect((await readVersions(world.service, world.actor, { stackId })).length).toBe(3);
  });

  it('that also added a server takes it away again when it goes back', async () => {
    const stackId = await settled(web('shop:1', { servers: 1 }));
    await world.fault({ kind: 'fail_app', mode: 'crash', image: 'shop:2' }, stackId);
    await world.update(stackId, web('shop:2', { servers: 2 }), {});
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_FAILED', health: 'serving' });
    expect((await world.row(stackId)).view.instances.filter(({ state }) => state === 'running')).toHaveLength(
      1,
    );
  });

  it('that is replaced by a newer one is superseded, and only the newer one counts', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'silent', image: 'shop:2' }, stackId);
    await world.update(stackId, web('shop:2'));
    await world.advance(3);
    await world.update(stackId, web('shop:3'));
    await world.settle();
    expect((await rolloutsOf(stackId)).map(({ state }) => state)).toEqual([
      'serving',
      'superseded',
      'serving',
    ]);
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
  });
});

describe('the health of a stack', () => {
  it('is none without a container', async () => {
    expect((await world.describe(await settled(oneServer()))).health).toBe('none');
  });

  it('is down when its containers die after they served, and its status stays as it was', async () => {
    const stackId = await settled(web('shop:1'));
    await world.fault({ kind: 'fail_app', mode: 'dies' }, stackId);
    await world.advance(2);
    expect(await world.describe(stackId)).toMatchObject({
      status: 'CREATE_COMPLETE',
      health: 'down',
      healthReason: expect.stringContaining('exited with code 137'),
    });
    await world.fault({ kind: 'clear' }, stackId);
    await world.advance(2);
    expect((await world.describe(stackId)).health).toBe('serving');
  });
});
