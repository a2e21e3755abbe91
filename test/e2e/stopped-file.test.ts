import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(() => place.remove());

describe.runIf(!onPostgres)('almanac.db after a clean stop', () => {
  it('holds everything: a server on a copy of this file alone has all stacks, users and tokens', async () => {
    const server = await AlmanacProcess.serve(place, knownLogin);
    const stackId = await server.applyTemplate(oneServer());
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const token = await server.userToken();
    await server.call('POST', '/v3/user', { json: { username: 'ann', password: 'kmr8TqXw2Zp4' } });
    expect((await server.kill('SIGTERM')).code).toBe(0);

    const directory = join(place.directory, 'copy');
    mkdirSync(directory);
    for (const file of ['almanac.db', 'secret.key'])
      copyFileSync(join(place.directory, file), join(directory, file));
    const copy = { ...place, directory, url: `sqlite:${join(directory, 'almanac.db')}` };
    const second = await AlmanacProcess.serve(copy, knownLogin);
    const found = await second.call('GET', `/v3/alm/stack/${stackId}`, { token });
    expect([found.status, found.body.stack_status]).toEqual([200, 'CREATE_COMPLETE']);
    expect((await second.call('GET', '/v3/user', { token })).text).toContain('"ann"');
  });
});
