import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../http.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { AlmanacProcess, knownLogin } from '../almanac-process.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

/** A server that executes the code when it gets SIGUSR2. */
const serveWith = (code: string, settings: Readonly<Record<string, string>> = {}) => {
  const program = `process.on('SIGUSR2', function onSignal() { ${code} })`;
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(program)}"`;
  return AlmanacProcess.serve(place, { ...knownLogin, NODE_OPTIONS, ...settings });
};

const frozenLine = (server: AlmanacProcess): Record<string, unknown> => {
  const lines = server.stdout.split('\n').filter((line) => line.includes('"fatal"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
};

it('a server whose event loop is frozen logs the requests, the account and the stack trace, and ends', async () => {
  const server = await serveWith(`/^[a\\s]+b?\\s*$/.test('a' + ' '.repeat(1000000) + '!')`);
  const token = await server.userToken();
  const headers = { authorization: `Bearer ${token}` };
  const stream = await fetch(`${server.url}/v3/alm/stack/stream`, { headers });
  expect(stream.status).toBe(200);
  server.process.kill('SIGUSR2');
  expect((await server.ended).code).toBeNull();
  expect(server.process.signalCode).toBe('SIGKILL');
  const line = frozenLine(server);
  expect(line.msg).toContain('was frozen for 2 s of processor time');
  expect(line.requests).toContainEqual(
    expect.objectContaining({
      method: 'GET',
      route: '/v3/alm/stack/stream',
      account: expect.stringMatching(/\w+/),
      actor: 'root',
    }),
  );
  expect(line.stack).toMatch(/RegExp\.test[^]*onSignal/);
  await stream.body?.cancel().catch(() => {});
});

it('a server that waits in its event loop without using the processor is not ended', async () => {
  const wait = `const n = new Int32Array(new SharedArrayBuffer(4)); Atomics.wait(n, 0, 0, 3000); console.log('waited')`;
  const server = await serveWith(wait, { ALM_WATCHDOG_SECONDS: '0.5' });
  server.process.kill('SIGUSR2');
  await eventually(
    async () => server.stdout,
    (text) => text.includes('waited'),
  );
  server.process.kill('SIGSTOP');
  const stoppedUntil = Date.now() + 2000;
  await eventually(
    async () => Date.now(),
    (now) => now > stoppedUntil,
  );
  server.process.kill('SIGCONT');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await server.kill('SIGTERM')).code).toBe(0);
});

it('without the watchdog a frozen server goes on after the end of the work', async () => {
  const work = `const end = Date.now() + 3000; while (Date.now() < end); console.log('worked')`;
  const server = await serveWith(work, { ALM_WATCHDOG_SECONDS: '0' });
  server.process.kill('SIGUSR2');
  await eventually(
    async () => server.stdout,
    (text) => text.includes('worked'),
  );
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await server.kill('SIGTERM')).code).toBe(0);
});
