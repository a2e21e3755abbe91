import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpSecret } from '../../../src/operations/registry/keys/http-secret.ts';
import { keyIdOf } from '../../../src/operations/registry/keys/key-id.ts';
import {
  activateKey,
  bundleOf,
  forgetOldKeys,
  prepareNextKey,
  readKeys,
  registrySecrets,
} from '../../../src/operations/registry/keys/signing-keys.ts';
import { type RegistryAccess, signRegistryToken } from '../../../src/operations/registry/sign-token.ts';
import { World } from '../../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const access: RegistryAccess[] = [{ type: 'repository', name: 'ann/shop', actions: ['pull'] }];
const sign = async () => {
  const { token } = await signRegistryToken(world.service, { access, subject: 'ann' });
  const [header, claims, signature = ''] = token.split('.');
  return { header: decode(header), claims: decode(claims), signed: `${header}.${claims}`, signature };
};

/** As the registry does it: the key of the bundle whose id the token names. */
async function isAcceptedBy(bundle: string): Promise<boolean> {
  const { header, signed, signature } = await sign();
  const certificates = bundle.match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g) ?? [];
  const trusted = certificates
    .map((text) => new X509Certificate(text))
    .find(({ publicKey }) => keyIdOf(publicKey) === header['kid']);
  const key = trusted && { key: trusted.publicKey, dsaEncoding: 'ieee-p1363' as const };
  return key !== undefined && verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64url'));
}
const bundle = async () => bundleOf(await readKeys(world.service));

describe('the key id', () => {
  it('is base 32 of the first 30 bytes of the digest of the public key, in groups of four', () => {
    const key = createPublicKey(
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n-----END PUBLIC KEY-----\n',
    );
    expect(keyIdOf(key)).toBe('FPI3:WDCE:VCL4:GCT2:UCMR:ZXRY:3ADC:7ZCB:3ZIN:UD2G:QJJU:J5QC');
  });
});

describe('the certificate', () => {
  it('is self-signed by the key, for ten years, and starts yesterday because clocks differ', async () => {
    const certificate = new X509Certificate(await bundle());
    expect(certificate.subject).toBe('CN=almanac');
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    const day = 24 * 60 * 60_000;
    const now = Math.floor(world.clock.now() / 1000) * 1000;
    expect(Date.parse(certificate.validFrom)).toBe(now - day);
    expect(Date.parse(certificate.validTo)).toBe(now + 3650 * day);
  });

  it('has a time of four digits from 2050 on', async () => {
    world.clock.advance(Date.UTC(2045, 0, 1) - world.clock.now());
    const { validTo } = new X509Certificate(await bundle());
    expect(new Date(validTo).getUTCFullYear()).toBe(2054);
  });
});

describe('a registry token', () => {
  it('names its key, and has the claims that the registry checks, with aud as a string', async () => {
    const { header, claims } = await sign();
    const [key] = await readKeys(world.service);
    expect(header).toMatchObject({ typ: 'JWT', alg: 'ES256', kid: key?.id });
    expect(header['x5c']).toEqual([new X509Certificate(key?.certificate ?? '').raw.toString('base64')]);
    const now = Math.floor(world.clock.now() / 1000);
    const times = { iat: now, nbf: now - 30, exp: now + 300 };
    expect(claims).toMatchObject({ iss: 'almanac', sub: 'ann', aud: 'almanac-registry', ...times, access });
    expect((await sign()).claims['jti']).not.toBe(claims['jti']);
  });

  it('is accepted with the bundle of any moment since before the rotation, until the old key is forgotten', async () => {
    const before = await bundle();
    expect(await isAcceptedBy(before)).toBe(true);
    expect(await prepareNextKey(world.service)).toBe(true);
    expect(await prepareNextKey(world.service)).toBe(false);
    const during = await bundle();
    expect(await isAcceptedBy(before)).toBe(true);
    expect(await isAcceptedBy(during)).toBe(true);
    await activateKey(world.service);
    expect(await isAcceptedBy(before)).toBe(false);
    expect(await isAcceptedBy(during)).toBe(true);
    expect(await forgetOldKeys(world.service)).toHaveLength(1);
    const after = await bundle();
    expect(after.match(/BEGIN/g)).toHaveLength(1);
    expect(await isAcceptedBy(after)).toBe(true);
    await expect(activateKey(world.service)).rejects.toThrow('There is no next key');
  });

  it('has one key, also if several servers sign the first tokens at once', async () => {
    const tokens = await Promise.all([sign(), sign(), sign(), sign()]);
    expect(new Set(tokens.map(({ header }) => header['kid'])).size).toBe(1);
    expect(await readKeys(world.service)).toHaveLength(1);
  });
});

describe('secrets in the configuration of a registry', () => {
  it('stay the same, differ by purpose, and change with the next key, while those of all keys count', async () => {
    const read = async () => (await registrySecrets(world.service, 'notifications')).map((s) => s.reveal());
    const [first] = await read();
    expect(await read()).toEqual([first]);
    expect((await registrySecrets(world.service, 'pull'))[0].reveal()).not.toBe(first);
    await prepareNextKey(world.service);
    const both = await read();
    expect(both).toEqual([expect.not.stringContaining(first ?? ''), first]);
    await activateKey(world.service);
    expect(await read()).toEqual(both);
    await forgetOldKeys(world.service);
    expect(await read()).toEqual([both[0]]);
  });

  it('that of uploads stays the same in a rotation, in which some registries have the old configuration', async () => {
    const read = async () => (await httpSecret(world.service)).reveal();
    const [secret, ...others] = await Promise.all([read(), read(), read()]);
    expect(secret).toMatch(/^\w{32}$/);
    expect(new Set(others)).toEqual(new Set([secret]));
    for (const step of [prepareNextKey, activateKey, forgetOldKeys]) {
      await step(world.service);
      expect(await read()).toBe(secret);
    }
    const { query } = world.database;
    expect(JSON.stringify(await query.selectFrom('meta').selectAll().execute())).not.toContain(secret);
  });
});
