import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { type Clients, succeeded } from './world/clients.ts';
import { FrontDoor } from './world/front-door.ts';
import type { RegistryProcess } from './world/registry-process.ts';
import { master, useRegistry } from './world/registry-world.ts';

/** A registry reads its certificates when it starts. So the next one starts beside it, behind the same address. */
const world = useRegistry();
const door = new FrontDoor();
let running: RegistryProcess;
let clients: Clients;

beforeAll(async () => {
  await world.registry?.stop();
  await door.listen(world.url);
  running = await world.startRegistryBehind(door);
  clients = await world.signedIn(master);
  await succeeded(clients.push(await world.layout.simple('one'), 'root/one:1'));
});

afterAll(async () => {
  await door.close();
  await running.stop();
});

/** Starts a registry with the present certificates, and stops the one before it. */
async function replaceRegistry(): Promise<void> {
  const before = { registry: running, port: door.target };
  running = await world.startRegistryBehind(door);
  await eventually(
    async () => door.connectionsTo(before.port),
    (count) => count === 0,
  );
  await before.registry.stop();
}

const tokenOf = async (): Promise<string> => {
  const { headers } = await world.caller(null).send('GET', '/v2/root/one/manifests/1');
  return world.caller(master).token(headers.get('www-authenticate') ?? '');
};

const statusWith = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await world.caller(null).send('GET', '/v2/root/one/manifests/1', { headers })).status;
};

const keyOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

/** The error if nothing answers. */
const pullStatus = (): Promise<number | string> =>
  world
    .caller(master)
    .call('GET', '/v2/root/one/manifests/1')
    .then(({ status }) => status, String);

/** Pulls again and again until it is stopped. Returns the statuses and how often. */
function pullRepeatedly(): () => Promise<Map<number | string, number>> {
  const seen = new Map<number | string, number>();
  let stopped = false;
  const pulling = (async () => {
    while (!stopped) {
      const status = await pullStatus();
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
  })();
  return async () => {
    stopped = true;
    await pulling;
    return seen;
  };
}

it('a key is rotated while clients pull without an error, and tokens of both keys are accepted', async () => {
  const old = await tokenOf();
  const stop = pullRepeatedly();
  await world.almanac('registry', 'rotate-key');
  await replaceRegistry();
  expect(keyOf(await tokenOf())).toBe(keyOf(old));
  await world.almanac('registry', 'rotate-key', '--activate');
  const fresh = await tokenOf();
  expect(keyOf(fresh)).not.toBe(keyOf(old));
  expect([await statusWith(old), await statusWith(fresh)]).toEqual([200, 200]);
  await succeeded(clients.pull('root/one:1'));
  const seen = await stop();
  expect([...seen.keys()]).toEqual([200]);
  expect(seen.get(200)).toBeGreaterThan(10);

  await world.almanac('registry', 'rotate-key', '--forget-old');
  await replaceRegistry();
  expect([await statusWith(old), await statusWith(fresh)]).toEqual([401, 200]);
});
