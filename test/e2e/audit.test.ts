import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attachDatabase } from '../../src/store/database/open-database.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin, runAlmanac } from './almanac-process.ts';

let place: TestPlace;
let server: AlmanacProcess;
beforeEach(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place);
});
afterEach(async () => {
  await server.kill('SIGKILL');
  await place.remove();
});

const verify = (...files: string[]) => runAlmanac(place, ['audit', 'verify', ...files]);

async function tamper(number: number): Promise<void> {
  const database = await attachDatabase(place.url);
  await database.query.updateTable('audit').set({ actor: 'nobody' }).where('number', '=', number).execute();
  await database.close();
}

it('a killed server has recorded every change it responded to, and the log is intact', async () => {
  for (let each = 0; each < 5; each += 1) await server.applyTemplate(oneServer());
  await server.kill('SIGKILL');
  const { stdout } = await verify();
  expect(stdout).toMatch(
    /^account \w+: 6 entries, last [0-9a-f]{64}\n\d checkpoints match\.\nOK, 6 entries\.\n$/,
  );
});

it('audit verify of an intact log exits with 0, and with 2 and a warning if there is no checkpoint to compare it with', async () => {
  await server.applyTemplate(oneServer());
  await server.kill('SIGTERM');
  expect(await verify()).toMatchObject({ code: 0, stderr: '' });
  rmSync(join(place.directory, 'audit-checkpoints.jsonl'));
  const { code, stdout, stderr } = await verify();
  expect(code).toBe(2);
  expect(stdout).toContain('0 checkpoints match.\nOK, 2 entries.');
  expect(stderr).toContain('almanac: Warning: there is no checkpoint to compare the log with');
});

it('a server writes checkpoints to a directory that did not exist, tells their age, and does not start where it cannot write them', async () => {
  await server.kill('SIGTERM');
  const file = join(place.directory, 'new', 'deep', 'checkpoints.jsonl');
  server = await AlmanacProcess.serve(place, { ...knownLogin, ALM_AUDIT_CHECKPOINTS: file });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^almanac_audit_checkpoint_age_seconds [\d.e-]+$/m);
  await server.applyTemplate(oneServer());
  await server.kill('SIGTERM');
  expect(await verify(file)).toMatchObject({ code: 0, stderr: '' });

  const unwritable = join(file, 'below-a-file.jsonl');
  const { code, stderr } = await runAlmanac(place, ['serve'], { ALM_AUDIT_CHECKPOINTS: unwritable });
  expect(code).toBe(1);
  expect(stderr).toContain(`Checkpoints of the audit log cannot be written to ${unwritable}. Set`);
});

it.runIf(!onPostgres)(
  'a server that starts after a kill records that reads may be missing, once',
  async () => {
    await server.kill('SIGKILL');
    server = await AlmanacProcess.serve(place);
    await server.kill('SIGTERM');
    server = await AlmanacProcess.serve(place);
    const { body } = await server.call('GET', '/v3/audit?action=audit-gap');
    expect(JSON.stringify(body).match(/A server ended without a stop/g)).toHaveLength(1);
  },
);

it('a stopped server has recorded reads too', async () => {
  for (let each = 0; each < 5; each += 1) await server.call('GET', '/v3/alm/stack');
  await server.kill('SIGTERM');
  expect((await verify()).stdout).toContain('OK, 6 entries.');
});

it('audit verify during operation names the first changed entry and exits with 1', async () => {
  for (let each = 0; each < 4; each += 1) await server.applyTemplate(oneServer());
  await tamper(3);
  const { code, stderr } = await verify();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^almanac: Entry 3 of account \w+ is not what was recorded\. [^\n]*\n$/);
});

it('audit verify names the entries that were cut off after the server signed a checkpoint, and exits with 1', async () => {
  for (let each = 0; each < 4; each += 1) await server.applyTemplate(oneServer());
  await server.kill('SIGTERM');
  expect((await verify()).stdout).toContain('OK, 5 entries.');
  const database = await attachDatabase(place.url);
  await database.query.deleteFrom('audit').where('number', '>', 3).execute();
  await database.close();
  const { code, stderr } = await verify();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^almanac: Entry 4 of account \w+ and all later ones up to 5 are missing: the checkpoint of /,
  );
});

it('audit verify without the sealing key reports that it checks only the chain, and refuses named checkpoint files', async () => {
  await server.applyTemplate(oneServer());
  await server.kill('SIGTERM');
  rmSync(join(place.directory, 'secret.key'));
  const { code, stdout } = await verify();
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nNo sealing key: checkpoints were not checked\.\nOK, 2 entries\.\n$/);
  expect(await verify(join(place.directory, 'audit-checkpoints.jsonl'))).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'almanac: The checkpoints cannot be verified without the sealing key. Set ALM_SECRET_KEY, or ALM_DATA to the directory of secret.key.\n',
  });
});

it.each([
  [['audit'], 'almanac: Usage: almanac audit verify [checkpoint file …]\n'],
  [['secrets', 'dance'], 'almanac: Usage: almanac secrets rotate\n'],
])('%j prints its usage', async (args, line) => {
  expect(await runAlmanac(place, args)).toEqual({ code: 1, stdout: '', stderr: line });
});
