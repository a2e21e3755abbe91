import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AlmanacProcess, knownLogin } from '../e2e/almanac-process.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';

/** Says which packages of Alibaba Cloud are loaded. */
const witness = `
const Module = require('node:module');
const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request.startsWith('@alicloud/')) process.stderr.write('LOADED ' + request + '\\n');
  return load.call(this, request, parent, isMain);
};
`;

let place: TestPlace;
let server: AlmanacProcess;
beforeEach(async () => {
  place = await makeTestPlace();
});
afterEach(async () => {
  await server.kill('SIGKILL');
  await place.remove();
});

it('a server loads the SDK of Alibaba Cloud with the first call of that cloud, not before', async () => {
  const file = join(place.directory, 'witness.cjs');
  await writeFile(file, witness);
  server = await AlmanacProcess.serve(place, { ...knownLogin, NODE_OPTIONS: `--require ${file}` });
  const save = (prefix: string) => {
    const credentials = {
      [`${prefix}AccessKeyId`]: 'KEY',
      [`${prefix}SecretKey`]: 'secret',
      [`${prefix}AccountName`]: 'account',
    };
    return server.call('POST', '/v3/credentials', { json: { vendor: prefix, credentials } });
  };
  expect((await server.call('GET', '/v3/alm/stack')).status).toBe(200);
  expect(server.stderr).not.toContain('LOADED');
  // Nothing listens at the address of the cloud in tests.
  expect((await save('AliCloud')).body['verified']).toContain('could not be reached');
  expect(server.stderr).toContain('LOADED @alicloud/openapi-core');
});
