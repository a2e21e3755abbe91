import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin, runAlmanac } from './almanac-process.ts';

let place: TestPlace;
let servers: AlmanacProcess[];
beforeEach(async () => {
  place = await makeTestPlace();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  await place.remove();
});

const serve = async (settings: Record<string, string> = {}) => {
  const server = await AlmanacProcess.serve(place, { ...knownLogin, ...settings });
  servers.push(server);
  return server;
};

const keyFile = () => join(place.directory, 'secret.key');
const keysInFile = () => readFileSync(keyFile(), 'utf8').trim().split('\n');
const newKey = () => randomBytes(32).toString('base64');

const updated = async (server: AlmanacProcess, stackId: string) => {
  await server.call('PUT', `/v3/alm/template/${stackId}`, { json: oneServer(2) });
  return server.waitFor(stackId, 'UPDATE_COMPLETE');
};

describe('almanac secrets rotate, with the key in its file', () => {
  it('changes the key of a busy server, which then restarts with the new key alone', async () => {
    const server = await serve();
    const stackIds = [await server.applyTemplate(oneServer())];
    const before = await server.waitFor(String(stackIds[0]), 'CREATE_COMPLETE');
    const [oldKey] = keysInFile();
    const rotating = new AlmanacProcess(place, ['secrets', 'rotate']);
    while (rotating.process.exitCode === null && stackIds.length < 12) {
      stackIds.push(await server.applyTemplate(oneServer()));
      await server.waitFor(String(stackIds.at(-1)), 'CREATE_COMPLETE');
    }
    const { code, stdout, stderr } = await rotating.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Sealed \d+ secrets with the new key in .*secret\.key\./);
    expect(keysInFile()).toHaveLength(1);
    expect(keysInFile()).not.toContain(oldKey);
    expect(stdout).not.toContain(keysInFile()[0]);
    expect(readFileSync(`${keyFile()}.old`, 'utf8')).toBe(`${oldKey}\n`);
    expect(stdout).not.toContain(oldKey);
    for (const file of [keyFile(), `${keyFile()}.old`]) expect(statSync(file).mode & 0o777).toBe(0o600);

    stackIds.push(await server.applyTemplate(oneServer()));
    await server.kill('SIGTERM');
    const next = await serve();
    next.useToken(server.userToken());
    for (const stackId of stackIds) await next.waitFor(stackId, 'CREATE_COMPLETE');
    const first = await updated(next, String(stackIds[0]));
    expect(first.auth_token).toBe(before.auth_token);
  });

  it('does no harm if it is killed, and the next run finishes it', async () => {
    const server = await serve();
    const stackId = await server.applyTemplate(oneServer());
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    const rotating = new AlmanacProcess(place, ['secrets', 'rotate']);
    await eventually(
      async () => keysInFile().length,
      (count) => count === 2,
    );
    await rotating.kill('SIGKILL');
    const [newest] = keysInFile();
    await updated(server, stackId);
    await server.kill('SIGTERM');
    const next = await serve();
    expect((await next.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);

    const finished = await runAlmanac(place, ['secrets', 'rotate']);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('Resuming an interrupted rotation.');
    expect(keysInFile()).toEqual([newest]);
    expect((await next.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);
  });

  it('fails while another process rotates the key, and with a wrong key', async () => {
    await (await serve()).kill('SIGTERM');
    const rotating = new AlmanacProcess(place, ['secrets', 'rotate']);
    await eventually(
      async () => keysInFile().length,
      (count) => count === 2,
    );
    const second = await runAlmanac(place, ['secrets', 'rotate']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('Another almanac process is rotating the key in');
    expect((await rotating.ended).code).toBe(0);

    const wrong = `${newKey()}\n`;
    rmSync(keyFile());
    writeFileSync(keyFile(), wrong);
    const refused = await runAlmanac(place, ['secrets', 'rotate']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('The secrets in this database are sealed with another key.');
    expect(readFileSync(keyFile(), 'utf8')).toBe(wrong);

    rmSync(keyFile());
    const lost = await runAlmanac(place, ['secrets', 'rotate']);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain('The secrets in this database are sealed with another key.');
    expect(existsSync(keyFile())).toBe(false);
  });
});

describe('almanac secrets rotate, with the key in the environment', () => {
  it('prints the steps, which work in that order', async () => {
    const [oldKey, next] = [newKey(), newKey()];
    const stackOf = async (ALM_SECRET_KEY: string) => {
      const server = await serve({ ALM_SECRET_KEY });
      const stackId = await server.applyTemplate(oneServer());
      await server.waitFor(stackId, 'CREATE_COMPLETE');
      await server.kill('SIGTERM');
      return stackId;
    };
    const first = await stackOf(oldKey);
    const printed = await runAlmanac(place, ['secrets', 'rotate'], { ALM_SECRET_KEY: oldKey });
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain('ALM_SECRET_KEY=new,old almanac secrets rotate');

    const second = await stackOf(`${next},${oldKey}`);
    const done = await runAlmanac(place, ['secrets', 'rotate'], { ALM_SECRET_KEY: `${next},${oldKey}` });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const server = await serve({ ALM_SECRET_KEY: next });
    for (const stackId of [first, second])
      expect((await server.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);
    await server.kill('SIGTERM');
    const refused = await runAlmanac(place, ['serve'], { ALM_SECRET_KEY: oldKey });
    expect(refused.stderr).toContain('The secrets in this database are sealed with another key.');
  });
});
