import { createServer, Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DefaultPage } from '../../src/agent/deploy/default-page.ts';
import { createAgentLog } from '../../src/agent/log.ts';
import { realClock } from '../../src/basics/clock.ts';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { callHttp, eventually } from '../http.ts';
import { AgentWorld, type ContainerSection } from './world/agent-world.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';

const almanac = useServedAlmanac();
let engine: FakeEngine;
let world: AgentWorld;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web').set('crash:1', 'crash');
  port = await freePort();
  world = await AgentWorld.open(almanac, engine.asEngine(), undefined);
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  await engine.close();
});

/** Puts the layer behind a load balancer that forwards to the port. */
const balance = async (container: ContainerSection | undefined, provision: object = {}) => {
  const listeners = [{ load_balancer_port: 80, protocol: 'http', instance_port: port }];
  const json = {
    version: '2017-03-03',
    configurations: [
      {
        role: 'web',
        flag: 'web01',
        provision: { availability_zone: 'ap-northeast-1a', load_balancer: { listeners }, ...provision },
        ...(container ? { container } : {}),
      },
    ],
  };
  const token = await almanac.userToken();
  const { status, text } = await almanac.call('PUT', `/v3/alm/template/${world.stackId}?servers=replace`, {
    token,
    json,
  });
  expect([status, text]).toEqual([202, text]);
};

const body = () =>
  callHttp('GET', `http://127.0.0.1:${port}/`).then(
    ({ status, text }) => `${status} ${text}`,
    () => 'refused',
  );
const shows = (part: string) => eventually(body, (text) => text.includes(part));
const pageText = 'This server is up';

describe('an agent of a layer behind a load balancer', () => {
  it('serves a page while there is no container, and the container as soon as it runs', async () => {
    await balance(undefined);
    await world.startAgent();
    expect(await shows(pageText)).toMatch(/^200 /);
    expect(await world.ready()).toBeNull();
    await balance({ container_image: 'web:1', container_ports: [port] });
    expect(await shows('"revision"')).not.toContain(pageText);
    await balance(undefined);
    await shows(pageText);
  });

  it('shows no page after a failed deploy: health checks must see that nothing is served', async () => {
    await balance(undefined);
    await world.startAgent();
    await shows(pageText);
    await balance({ container_image: 'crash:1', container_ports: [port] });
    await world.agentSays('error');
    expect(await body()).toBe('refused');
  });

  it('leaves the port to another program that already uses it', async () => {
    const other = createServer((socket) => socket.end('other program')).listen(port, '127.0.0.1');
    await balance(undefined);
    await world.startAgent();
    await eventually(
      async () => world.lines.join('\n'),
      (text) => text.includes(`no default page on port ${port}`),
    );
    expect(await world.ready()).toBeNull();
    other.close();
    await shows(pageText);
  });
});

describe('the default page', () => {
  it('is still served, and the reason logged, after a connection could not be accepted', async () => {
    const lines: string[] = [];
    const log = createAgentLog(realClock, (line) => void lines.push(line));
    const defaultPage = new DefaultPage(log, '127.0.0.1');
    const listening = vi.spyOn(Server.prototype, 'listen');
    await defaultPage.serve([port]);
    const [server] = listening.mock.contexts as Server[];
    listening.mockRestore();
    expect(server?.emit('error', new Error('accept EMFILE'))).toBe(true);
    expect(lines.join()).toContain('accept EMFILE');
    expect(await body()).toContain(pageText);
    await defaultPage.close();
  });
});

describe('the ports of the default page', () => {
  const portsOf = async (flag = 'web01') => {
    const { auth_token: secret } = await almanac.describe(world.stackId);
    const json = { grant_type: 'client_credentials', client_id: world.stackId, client_secret: secret };
    const { body: issued } = await almanac.call<{ access_token: string }>('POST', '/v3/access_token', {
      json,
    });
    const path = `/v3/alm/agent/default_page?stack_id=${world.stackId}&flag=${flag}`;
    return (await almanac.call<{ ports: number[] }>('GET', path, { token: issued.access_token })).body.ports;
  };

  it('are those a load balancer forwards to and checks, and none for every other layer', async () => {
    expect(await portsOf()).toEqual([]);
    await balance(undefined);
    expect(await portsOf()).toEqual([port]);
    expect(await portsOf('nobody')).toEqual([]);
    await balance(undefined, { image: 'ami-0123456789abcdef0' });
    expect(await portsOf()).toEqual([]);
    await balance({ container_image: 'web:1', container_ports: [port] });
    expect(await portsOf()).toEqual([]);
  });
});
