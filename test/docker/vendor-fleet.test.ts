import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Layer, StackModel } from '../../src/model/stack-model.ts';
import type { StackView } from '../../src/vendors/vendor.ts';
import { callHttp, eventually } from '../http.ts';
import { sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { outputIn, VendorWorld, viewOf } from './world/vendor-world.ts';

const world = new VendorWorld();
const { containers } = world.engine;
const stack = world.newStack();
let view: StackView;

const balanced = (min: number, changes: Partial<Layer> = {}, spotPercent = 0): StackModel =>
  sampleModel({ layers: [{ ...sampleGroup(min, spotPercent), ...changes }] });
const url = () => `http://${outputIn(view, 'Address')}/`;
const ids = () => view.instances.map(({ id }) => id).toSorted();
const get = () =>
  callHttp('GET', url()).then(
    ({ status, text }) => (status === 200 ? text : `status ${status}`),
    (error: Error) => `no response: ${error.cause instanceof Error ? error.cause.message : error.message}`,
  );
const answers = async () => new Set(await Promise.all(Array.from({ length: 12 }, get)));
/** Waits until exactly these instances respond. */
const answeredBy = (expected: readonly string[]) =>
  eventually(answers, (found) => [...found].toSorted().join() === expected.toSorted().join());

/** Sends requests continuously during the work. Returns the failed responses. */
async function underLoad(work: () => Promise<void>): Promise<string[]> {
  const failed: string[] = [];
  let isRunning = true;
  const loads = Array.from({ length: 3 }, async () => {
    while (isRunning) failed.push(...[await get()].filter((text) => !/^[0-9a-f]{12}$/.test(text)));
  });
  await work();
  isRunning = false;
  await Promise.all(loads);
  return failed;
}

beforeAll(async () => {
  view = await world.make(stack, balanced(2));
});
afterAll(() => world.clear());

describe('a balanced group', () => {
  it('serves at its address from all its instances', async () => {
    expect(view.instances).toMatchObject([
      { flag: 'Web0', state: 'running', spot: false, publicIp: null },
      { flag: 'Web0', state: 'running' },
    ]);
    expect(url()).toMatch(/^http:\/\/127\.0\.0\.1:[23]\d{4}\/$/);
    await answeredBy(ids());
  });

  it('has an agent, settings for root only and the engine socket on each instance', async () => {
    const [first] = ids();
    const settings = JSON.parse(String(await containers.readFile(first ?? '', '/opt/almanac/agent.json')));
    expect(settings).toMatchObject({ stackId: stack.id, flag: 'Web0', instanceId: first });
    const shown = await containers.exec(first ?? '', [
      'sh',
      '-c',
      'stat -c %a:%u /opt/almanac/agent.json; curl -s --unix-socket /run/almanac/engine.sock http://e/_ping',
    ]);
    expect(shown.stdout).toBe('600:0\nOK');
  });

  it('scales up and down without failing a request, and keeps its address', async () => {
    const [address, before] = [url(), ids()];
    const failed = await underLoad(async () => {
      view = await world.make(stack, balanced(4), 'v2');
      expect(ids()).toEqual(expect.arrayContaining(before));
      await answeredBy(ids());
      view = await world.make(stack, balanced(1), 'v3');
      await answeredBy(ids());
    });
    expect(failed).toEqual([]);
    expect([view.instances.length, url()]).toEqual([1, address]);
    expect((await world.count(stack)).containers).toBe(3);
  });

  it('replaces its instances one by one without failing a request', async () => {
    view = await world.make(stack, balanced(2), 'v4');
    const before = ids();
    const failed = await underLoad(async () => {
      view = await world.make(stack, balanced(2, { instanceType: 'm5.large' }), 'v5');
    });
    expect(failed).toEqual([]);
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    expect(view.instances.map(({ type }) => type)).toEqual(['m5.large', 'm5.large']);
    await answeredBy(ids());
  });

  it('replaces a killed instance, with the same version', async () => {
    const [killed = ''] = ids();
    await containers.kill(killed, 'SIGKILL');
    await eventually(
      () => world.driver.observe(stack),
      ({ kind }) => kind === 'unfinished',
    );
    view = await world.settle(stack);
    expect(ids()).toHaveLength(2);
    expect(ids()).not.toContain(killed);
    await answeredBy(ids());
  });

  it('keeps its address when its balancer is restarted', async () => {
    const address = url();
    const [found] = await world.containersOf(stack, { 'almanac.kind': 'balancer' });
    await containers.kill(found?.id ?? '', 'SIGKILL');
    view = await world.settle(stack);
    expect(url()).toBe(address);
    await answeredBy(ids());
  });
});

describe('an instance of a group', () => {
  const replaced = async (id: string) => {
    view = await world.settle(stack);
    expect(ids()).toHaveLength(2);
    expect(ids()).not.toContain(id);
    await answeredBy(ids());
  };

  it('is replaced on a restart without failing a request', async () => {
    const [first = ''] = ids();
    const failed = await underLoad(async () => {
      const answer = await world.driver.restartInstance?.(stack, first);
      expect(answer).toMatchObject({ accepted: true, protectionSeconds: 30 });
      expect((await world.driver.observe(stack)).kind).toBe('unfinished');
      await replaced(first);
    });
    expect(failed).toEqual([]);
  });

  it('gets a spot notice by fault injection, and is replaced on request', async () => {
    view = await world.make(stack, balanced(2, {}, 50), 'v6');
    const spot = view.instances.find((instance) => instance.spot)?.id ?? '';
    const other = view.instances.find((instance) => !instance.spot)?.id ?? '';
    expect(await world.driver.injectFault?.({ kind: 'spot_notice' }, stack)).toMatchObject({ ok: true });
    expect(String(await containers.readFile(spot, '/run/almanac/spot-notice'))).toContain('terminate');
    expect(await containers.readFile(other, '/run/almanac/spot-notice')).toBeUndefined();
    expect(await world.driver.replaceInstance?.(stack, other)).toMatchObject({ accepted: false });
    expect(await world.driver.replaceInstance?.(stack, 'unknown')).toMatchObject({ accepted: false });
    expect(await world.driver.replaceInstance?.(stack, spot)).toEqual({ accepted: true });
    expect(await world.driver.replaceInstance?.(stack, spot)).toEqual({ accepted: true });
    await replaced(spot);
    expect(view.instances.filter((instance) => instance.spot)).toHaveLength(1);
  });

  it('rejects other faults', async () => {
    const outcome = await world.driver.injectFault?.({ kind: 'unreachable', seconds: 1 }, stack);
    expect(outcome).toMatchObject({ ok: false });
  });
});

it('a removal takes less than ten seconds and includes what agents made', async () => {
  const [instance] = ids();
  const labels = { 'almanac.stack': stack.id, 'almanac.kind': 'app', 'almanac.instance': instance ?? '' };
  const volume = `${instance}-storage`;
  await world.engine.volumes.create({ name: volume, labels });
  const usr = { kind: 'bind', source: '/usr', target: '/usr', readOnly: true } as const;
  const app = await containers.create({
    name: `${stack.id}-app`,
    image: 'almanac/instance',
    entrypoint: ['sleep', 'infinity'],
    labels,
    networks: [{ network: `alm-${stack.id}` }],
    mounts: [usr, { kind: 'volume', volume, target: '/kept' }],
  });
  await containers.start(app);
  const startedAt = Date.now();
  await world.removeCompletely(stack);
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect(await world.count(stack)).toEqual({ containers: 0, networks: 0, volumes: 0 });
  expect(viewOf(await world.driver.observe(stack)).instances).toEqual([]);
});
