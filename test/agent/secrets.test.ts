import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, type ContainerSection } from './world/agent-world.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';

const almanac = useServedAlmanac();
const values = [
  'correct-horse-4711',
  'battery-staple-4712',
  '-----KEY-----\nline-of-the-key-4713\n',
] as const;
let engine: FakeEngine;
let world: AgentWorld;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web').set('crash:1', 'crash');
  port = await freePort();
  await set('greeting', values[0]);
  await set('tls-key', values[2]);
});
afterEach(async () => {
  await world.close();
  const parts = values.flatMap((value) => value.trim().split('\n'));
  expect(world.lines.filter((line) => parts.some((part) => line.includes(part)))).toEqual([]);
  await engine.close();
});

const set = async (name: string, value: string) =>
  expect(
    await almanac.call('PUT', `/v3/alm/secret/${name}`, {
      token: await almanac.userToken(),
      json: { value },
    }),
  ).toMatchObject({ status: 200 });

const start = async (changes: ContainerSection = {}) => {
  world = await AgentWorld.open(almanac, engine.asEngine(), {
    container_image: 'web:1',
    container_ports: [port],
    container_secrets: { GREETING: 'greeting', TLS_KEY: { secret: 'tls-key', as: 'file' } },
    ...changes,
  });
  await world.startAgent();
};

describe('an agent gives its container', () => {
  it('secrets as variables, and as files that only the user of the image may read', async () => {
    engine.user = '1000:1001';
    await start();
    await world.ready();
    const [container] = engine.running;
    expect(container?.spec.environment).toMatchObject({ GREETING: values[0] });
    expect(container?.spec.environment).not.toHaveProperty('TLS_KEY');
    expect(container?.files).toEqual([
      { path: '/run/secrets/TLS_KEY', content: values[2], mode: 0o400, owner: { uid: 1000, gid: 1001 } },
    ]);
  });

  it.each([
    ['', { mode: 0o400, owner: { uid: 0, gid: 0 } }],
    ['root', { mode: 0o400, owner: { uid: 0, gid: 0 } }],
    ['node', { mode: 0o444 }],
  ])('files that the user %j of its image can read', async (user, expected) => {
    engine.user = user;
    await start();
    await world.ready();
    expect(engine.running[0]?.files).toEqual([
      { path: '/run/secrets/TLS_KEY', content: values[2], ...expected },
    ]);
  });

  it('a new value of a secret, in a new container, without a new version of the stack', async () => {
    await start();
    const before = await world.ready();
    await world.agentSays('uptodate');
    await set('greeting', values[1]);
    await eventually(
      async () => engine.running.map(({ spec }) => spec.environment?.['GREETING']),
      (found) => found.length === 1 && found[0] === values[1],
    );
    await eventually(
      async () => world.readyRevision,
      (revision) => Number(revision) > Number(before),
    );
    const path = `/v3/alm/template?stack_id=${world.stackId}`;
    const { body } = await almanac.call<unknown[]>('GET', path, { token: await almanac.userToken() });
    expect(body).toHaveLength(1);
  });
});

it('the report of a container that failed has no secret, although the container printed one', async () => {
  await start({ container_image: 'crash:1' });
  const message = await world.agentSays('error');
  const { query } = almanac.service.database;
  const [reported] = await query
    .selectFrom('app_instances')
    .selectAll()
    .where('stack_id', '=', world.stackId)
    .execute();
  expect(message + JSON.stringify(reported)).not.toContain(values[0]);
  expect(reported?.last_lines).toBe('[redacted] no database');
});
