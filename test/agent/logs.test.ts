import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedStream, streamOf } from '../api/logs/log-stream.ts';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, secrets } from './world/agent-world.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';

interface Logs {
  lines: { source: string; container: string; stream: string; text: string }[];
  instances: { instance_id: string; state: string; message: string }[];
}

const almanac = useServedAlmanac();
let engine: FakeEngine;
let world: AgentWorld;
let container: string;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web');
  world = await AgentWorld.open(almanac, engine.asEngine(), {
    container_image: 'web:1',
    container_registry_username: 'robot',
    container_registry_password: secrets.registry,
    container_ports: [await freePort()],
    container_env_vars: { DATABASE_PASSWORD: secrets.environment },
    container_addons: [{ name: 'mackerel', api_key: secrets.addon }],
  });
  await world.startAgent();
  await world.ready();
  container = engine.running[0]?.id ?? '';
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  await engine.close();
});

const pathOf = (rest: string) => `/v3/alm/stack/${world.stackId}/logs${rest}`;
const read = async (query = ''): Promise<Logs> => {
  const path = pathOf(`?instance_id=${world.settings.instanceId}${query}`);
  return (await almanac.call<Logs>('GET', path, { token: await almanac.userToken() })).body;
};
const follow = async (): Promise<OpenedStream> =>
  streamOf(
    `${almanac.url}${pathOf(`/stream?instance_id=${world.settings.instanceId}&source=container`)}`,
    await almanac.userToken(),
  );
async function nextText(stream: OpenedStream): Promise<string> {
  for (;;) {
    const { event, data } = await stream.next();
    if (event === 'line') return String(data['text']);
  }
}

describe('the agent sends on request', () => {
  it('the last lines of its own log and of its container', async () => {
    engine.write(container, 'listening');
    engine.write(container, 'a warning', 'stderr');
    const { lines, instances } = await read();
    expect(instances).toMatchObject([{ state: 'complete', message: '' }]);
    expect(lines.filter(({ source }) => source === 'container')).toMatchObject([
      { stream: 'stdout', text: 'listening' },
      { stream: 'stderr', text: 'a warning' },
    ]);
    const own = lines.filter(({ source }) => source === 'agent').map(({ text }) => text);
    expect(own[0]).toMatch(/^agent started: stack mo-/);
  });

  it('only the number of lines, the source and the container that were asked for', async () => {
    for (let number = 1; number <= 5; number += 1) engine.write(container, `line ${number}`);
    const some = await read('&lines=2&source=container');
    expect(some.lines.map(({ text }) => text)).toEqual(['line 4', 'line 5']);
    expect((await read('&container=other')).lines).toEqual([]);
    expect((await read('&source=agent')).lines.every(({ source }) => source === 'agent')).toBe(true);
  });

  it('no secret that it knows, nor a private key that it does not know', async () => {
    const { token = '' } = world.settings;
    for (const secret of [...Object.values(secrets), token]) engine.write(container, `leak: ${secret}!`);
    engine.write(container, '-----BEGIN RSA PRIVATE KEY-----');
    engine.write(container, 'MIIEowIBAAKCAQEA7unknown7key');
    engine.write(container, '-----END RSA PRIVATE KEY-----');
    engine.write(container, 'after the key');
    const { lines } = await read('&source=container');
    const text = JSON.stringify(lines);
    for (const secret of [...Object.values(secrets), token, 'unknown7key'])
      expect(text).not.toContain(secret);
    expect(lines.at(0)?.text).toBe('leak: [redacted]!');
    expect(lines.at(-1)?.text).toBe('after the key');
  });

  it('why it cannot, when the container engine does not answer', async () => {
    engine.isUnreachable = true;
    const { instances, lines } = await read();
    expect(instances).toMatchObject([
      { state: 'failed', message: expect.stringContaining('engine did not respond') as string },
    ]);
    expect(lines.some(({ source }) => source === 'agent')).toBe(true);
    engine.isUnreachable = false;
  });
});

describe('a follower', () => {
  it('gets new lines as they are written; when it leaves, the agent stops reading the container', async () => {
    engine.write(container, 'before');
    const stream = await follow();
    expect(await nextText(stream)).toBe('before');
    engine.write(container, 'after');
    expect(await nextText(stream)).toBe('after');
    expect(engine.followers).toBe(1);
    stream.close();
    await eventually(
      async () => engine.followers,
      (count) => count === 0,
    );
  });

  it('continues after a restart of the agent without repeating a line', async () => {
    engine.write(container, 'one');
    const first = await follow();
    expect(await nextText(first)).toBe('one');
    await world.stopAgent();
    engine.write(container, 'two');
    await world.startAgent();
    expect(await nextText(first)).toBe('two');
    first.close();
  });
});
