import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { AlmanacProcess, knownLogin, login, runAlmanac } from '../almanac-process.ts';

let place: TestPlace;
let server: AlmanacProcess;
beforeEach(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place, knownLogin);
});
afterEach(async () => {
  await server.kill('SIGKILL');
  await place.remove();
});

const registry = (...args: string[]) => runAlmanac(place, ['registry', ...args]);
const bundleFile = () => join(place.directory, 'registry', 'bundle.pem');
const certificates = () => readFileSync(bundleFile(), 'utf8').match(/BEGIN CERTIFICATE/g)?.length;

/** Id of the key that signs tokens of the running server. */
const keyInUse = async (): Promise<unknown> => {
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const { body } = await server.call('GET', '/v3/docker/token', { headers: { authorization } });
  const [header = ''] = String(body.token).split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: unknown }).kid;
};

describe('almanac registry config', () => {
  it('prints a complete configuration, the same each time, and writes the certificates beside it', async () => {
    const { code, stdout, stderr } = await registry('config', '--addr', ':5000', '--storage', '/srv/images');
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Certificates: ${bundleFile()}\n` });
    for (const line of [
      'rootdirectory: "/srv/images"',
      'addr: ":5000"',
      '/v3/docker/token"',
      'service: "almanac-registry"',
      'issuer: "almanac"',
      `rootcertbundle: ${JSON.stringify(bundleFile())}`,
      '/v3/docker/notifications"',
      'Authorization: ["Bearer ',
    ])
      expect(stdout).toContain(line);
    expect(certificates()).toBe(1);
    expect((await registry('config', '--addr', ':5000', '--storage', '/srv/images')).stdout).toBe(stdout);
  });

  it('writes to a file that others cannot read, and then prints no secret', async () => {
    const file = join(place.directory, 'config.yml');
    const { code, stdout } = await registry('config', '--file', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/secret: "[\w-]{32}"/);
    expect(readdirSync(place.directory).filter((name) => name.startsWith('config.yml'))).toEqual([
      'config.yml',
    ]);
  });
});

describe('almanac registry rotate-key', () => {
  it('changes the key of a running server in three steps, and says each time what to do next', async () => {
    const before = await keyInUse();
    const prepared = await registry('rotate-key');
    expect(prepared.stdout).toMatch(/A new key is prepared[^]*Restart the registries[^]*--activate/);
    expect((await registry('rotate-key')).stdout).toContain('was prepared already');
    expect(await keyInUse()).toBe(before);
    await registry('config');
    expect(certificates()).toBe(2);
    expect((await registry('rotate-key', '--activate')).stdout).toContain('--forget-old');
    const after = await keyInUse();
    expect(after).not.toBe(before);
    expect((await registry('rotate-key', '--forget-old')).stdout).toContain('The old key is deleted');
    expect(await keyInUse()).toBe(after);
    await registry('config');
    expect(certificates()).toBe(1);
  });

  it('does not activate a key that was not prepared', async () => {
    const { code, stderr } = await registry('rotate-key', '--activate');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'almanac: There is no next key. Prepare one with: almanac registry rotate-key\n',
    });
  });
});
