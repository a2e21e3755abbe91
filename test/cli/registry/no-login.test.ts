import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeAlmanac } from './fake-almanac.ts';

let almanac: FakeAlmanac;
let ann: AlmUser;

beforeEach(async () => {
  almanac = new FakeAlmanac();
  await almanac.start();
  ann = new AlmUser({ ALM_URL: almanac.url });
});
afterEach(async () => {
  await almanac.close();
  ann.close();
});

const ownCommands = ['describe shop', 'description shop text', 'visibility shop public'];
const otherCommands = ['catalog', 'tags shop', 'delete ann/shop:1', 'login'];

const run = (command: string, env: Record<string, string> = {}) =>
  ann.run(['registry', ...command.split(' ')], { env });

describe.each(ownCommands)('alm registry %s', (command) => {
  it('without a login says that one is needed', async () => {
    const { code, stderr } = await run(command);
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('alm login') });
  });

  it('with an expired login says when it expired', async () => {
    const saved = { api_url: almanac.url, access_token: 'old', token_expires: '2020-01-01T00:00:00Z' };
    mkdirSync(join(ann.home, '.alm'));
    writeFileSync(join(ann.home, '.alm/config.yml'), JSON.stringify(saved), { mode: 0o600 });
    const { code, stderr } = await run(command);
    expect(code).toBe(4);
    expect(stderr).toContain('Your login expired at 2020-01-01');
  });

  it('with a token that the service rejects says to sign in again', async () => {
    const { code, stderr } = await run(command, { ALM_TOKEN: 'rejected' });
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('alm login') });
    expect(stderr).not.toContain('namespace');
  });

  it('says that an API client needs a name with a namespace', async () => {
    almanac.apiClients.add('login-of-ci');
    const { code, stderr } = await run(command, { ALM_TOKEN: 'login-of-ci' });
    expect(code).toBe(2);
    expect(stderr).toContain('You have no namespace');
  });
});

describe.each([...ownCommands, ...otherCommands])('alm registry %s', (command) => {
  it('reports a service that does not answer, and asks no other program instead', async () => {
    const env = { ALM_URL: 'http://127.0.0.1:9', ALM_TOKEN: 'login-of-ann' };
    const { code, stderr } = await run(command, env);
    expect(code).toBe(8);
    expect(stderr).toContain('Connection to http://127.0.0.1:9 failed');
    expect(stderr).not.toContain(':5000');
  });

  it('reports a service that fails', async () => {
    almanac.sessionStatus = 500;
    const { code, stderr } = await run(command, { ALM_TOKEN: 'login-of-ann' });
    expect(code).toBe(1);
    expect(stderr).toContain('500');
    expect(stderr).not.toContain(':5000');
  });
});
