import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';
import { sendInHalves } from './slow-request.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

/** Starts a server on a copy of the file alone, without its log. */
const serveCopy = (): Promise<AlmanacProcess> => {
  const directory = join(place.directory, 'copy');
  mkdirSync(directory);
  for (const file of ['almanac.db', 'secret.key'])
    copyFileSync(join(place.directory, file), join(directory, file));
  const copy = { ...place, directory, url: `sqlite:${join(directory, 'almanac.db')}` };
  return AlmanacProcess.serve(copy, knownLogin);
};

describe.runIf(!onPostgres)('almanac.db', () => {
  it('holds everything after a clean stop: a server on a copy of this file alone has all stacks, users and tokens', async () => {
    const server = await AlmanacProcess.serve(place, knownLogin);
    const stackId = await server.applyTemplate(oneServer());
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const token = await server.userToken();
    await server.call('POST', '/v3/user', { json: { username: 'ann', password: 'kmr8TqXw2Zp4' } });
    expect((await server.kill('SIGTERM')).code).toBe(0);

    const second = await serveCopy();
    const found = await second.call('GET', `/v3/alm/stack/${stackId}`, { token });
    expect([found.status, found.body.stack_status]).toEqual([200, 'CREATE_COMPLETE']);
    expect((await second.call('GET', '/v3/user', { token })).text).toContain('"ann"');
  });

  it('holds all stacks and the audit log after a stop at ALM_STOP_LIMIT, while a request is still in progress', async () => {
    const server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_STOP_LIMIT: '1' });
    const token = await server.userToken();
    const stackId = await server.applyTemplate(oneServer());
    await sendInHalves(server.url, { path: '/v3/user', token, body: '{"username":"never sent"}' });
    const read = await server.call('GET', `/v3/alm/stack/${stackId}`);
    const began = Date.now();
    const { stdout } = await server.kill('SIGTERM');
    expect(stdout).toContain('stopped at the limit of time');
    expect(Date.now() - began).toBeLessThan(4_900); // after 5 s the request would have been ended

    const second = await serveCopy();
    expect((await second.call('GET', `/v3/alm/stack/${stackId}`, { token })).status).toBe(200);
    const audit = await second.call('GET', '/v3/audit', { token });
    expect(audit.text).toContain(`"request_id":"${read.headers.get('x-request-id')}"`);
  });
});
