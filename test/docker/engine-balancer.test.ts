import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { EngineWorld } from './world/engine-world.ts';

const world = new EngineWorld();
const { containers } = world.engine;
const web = `require('http').createServer((q, r) => r.end(process.env.ANSWER)).listen(80)`;
const servers = ['a', 'b', 'c'];
let balancer = '';
let url = '';

const configuration = (behind: readonly string[]): string => `
global
  stats socket /run/haproxy/admin.sock mode 600 level admin expose-fd listeners
defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 10s
  option redispatch
  option httpclose
  default-server check inter 200ms fall 2 rise 1
frontend front
  bind *:80
  default_backend back
backend back
${behind.map((name) => `  server ${name} 10.53.0.1${servers.indexOf(name)}:80`).join('\n')}
`;

const reload = async (content: string) => {
  await containers.putFiles(balancer, [{ path: '/etc/haproxy/haproxy.cfg.new', content }]);
  return world.exec(balancer, '/opt/almanac/entry/reload-haproxy.sh');
};
/** The response text, or the error. */
const request = async (path: string): Promise<string> => {
  try {
    const answer = await fetch(url + path, { signal: AbortSignal.timeout(5000) });
    return answer.ok ? await answer.text() : String(answer.status);
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
};
const answers = () => Promise.all(['/1', '/2', '/3', '/4', '/5', '/6'].map(request));
const answeredBy = (...names: string[]) =>
  eventually(answers, (found) => names.join() === [...new Set(found)].toSorted().join());

beforeAll(async () => {
  const network = await world.network('net', '10.53.0.0/24');
  const webs = servers.map((name, index) =>
    world.idle({
      name,
      environment: { ANSWER: name },
      entrypoint: ['node', '-e', web],
      networks: [{ network, address: `10.53.0.1${index}` }],
    }),
  );
  await Promise.all(webs);
  const ports = [{ port: 80, hostAddress: '127.0.0.1' }];
  balancer = await world.run({ role: 'haproxy', name: 'balancer', ports, networks: [{ network }] });
  const [published] = (await containers.inspect(balancer))?.ports ?? [];
  url = `http://127.0.0.1:${published?.hostPort}`;
});
afterAll(() => world.clear());

it('a balancer waits for its configuration and then uses all servers', async () => {
  expect(await reload(configuration(['a', 'b']))).toMatchObject({ exitCode: 0 });
  await world.ready(balancer);
  await answeredBy('a', 'b');
});

it('a balancer skips a dead server and uses it again after its restart', async () => {
  await containers.kill(world.name('a'), 'SIGKILL');
  await answeredBy('b');
  await containers.start(world.name('a'));
  await answeredBy('a', 'b');
});

it('a balancer reloads a new configuration without failing a request', async () => {
  let isRunning = true;
  const failed: string[] = [];
  const load = (async () => {
    while (isRunning) failed.push(...(await answers()).filter((text) => !servers.includes(text)));
  })();
  expect(await reload(configuration(['b', 'c']))).toMatchObject({ exitCode: 0 });
  await answeredBy('b', 'c');
  isRunning = false;
  await load;
  expect(failed).toEqual([]);
});

it('a balancer rejects an invalid configuration and keeps the current one', async () => {
  const { exitCode, stderr, stdout } = await reload('nonsense here\n');
  expect(exitCode).not.toBe(0);
  expect(stderr + stdout).toContain('nonsense');
  await answeredBy('b', 'c');
});
