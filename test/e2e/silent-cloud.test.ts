import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { SilentServer } from '../silent-server.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';

let place: TestPlace;
let cloud: SilentServer;
let server: AlmanacProcess;
beforeEach(async () => {
  place = await makeTestPlace();
  cloud = await SilentServer.onPort();
  const settings = { ALM_LOG: 'info', AWS_ENDPOINT_URL: `http://${cloud.host}` };
  server = await AlmanacProcess.serve(place, { ...knownLogin, ...settings });
});
afterEach(async () => {
  await server.kill('SIGKILL');
  cloud.close();
  await place.remove();
});

const save = () =>
  server.call('POST', '/v3/credentials/aws', {
    json: { credentials: { AWSAccessKeyId: 'AKIASILENT', AWSSecretKey: 'hush' } },
  });

it('a key of a cloud that does not answer is saved, a template for it gets 502, and both are logged once', async () => {
  const saved = await save();
  expect(saved.status).toBe(200);
  expect(saved.text).toContain('Saved, but the vendor could not be reached');
  const template = { ...oneServer(), vendor: { aws: { cred: 'AKIASILENT', region: 'ap-northeast-1' } } };
  const submitted = await server.call('POST', '/v3/alm/template', { json: template });
  expect(submitted.status).toBe(502);
  expect(submitted.text).toContain(cloud.host);
  const metrics = await server.call('GET', '/metrics');
  expect(metrics.text).toContain('almanac_vendor_endpoints_silent{vendor="aws"} 1');
  expect(metrics.text).toMatch(/almanac_reconcile_slots 16/);
  expect(server.stdout.match(/the cloud does not answer/g)).toHaveLength(1);
});

it('a request that waits for a silent cloud does not keep a server from stopping, which says so', async () => {
  const request = save().catch(() => undefined);
  await expect.poll(() => cloud.callers, { timeout: 20_000 }).toBe(1);
  const { code, stdout } = await server.kill('SIGTERM');
  await request;
  expect(code).toBe(0);
  expect(stdout).toContain('"msg":"stopping"');
  expect(stdout).toMatch(/"ms":\d+,"msg":"stopped"/);
});

it('while a server that stops still serves, it is not ready', async () => {
  await server.kill('SIGKILL');
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_STOP_DELAY: '3600' });
  server.process.kill('SIGTERM');
  await expect.poll(async () => (await server.call('GET', '/readyz')).status).toBe(503);
  expect((await server.call('GET', '/v3/alm/stack')).status).toBe(200);
  expect((await server.kill('SIGTERM')).code).toBe(1);
});
