import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { isInstanceAddress } from '../../src/ssh/dial.ts';
import { algorithmsFor, fingerprintOf, writeHostKey } from '../../src/ssh/host-key.ts';
import { toSshFormat } from '../../src/ssh/private-key.ts';
import { privateKeyOf } from '../../src/vendors/sandbox/act/keys.ts';

const pkcs8 = (key: KeyObject) => new Secret(key.export({ format: 'pem', type: 'pkcs8' }).toString());

function parse(key: Secret) {
  const parsed = ssh2.utils.parseKey(key.reveal());
  if (parsed instanceof Error) throw parsed;
  return parsed;
}

describe('a private key', () => {
  it.each([
    ['ssh-ed25519', () => generateKeyPairSync('ed25519')],
    ['ssh-rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ecdsa-sha2-nistp256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ])(
    'of type %s in PKCS #8 is converted to a format that ssh2 reads, and signs correctly',
    (type, generate) => {
      const { privateKey } = generate();
      expect(ssh2.utils.parseKey(pkcs8(privateKey).reveal())).toBeInstanceOf(Error);
      const parsed = parse(toSshFormat(pkcs8(privateKey)));
      expect(parsed.type).toBe(type);
      const signature = parsed.sign(Buffer.from('words'));
      expect(parsed.verify(Buffer.from('words'), signature)).toBe(true);
      expect(parsed.verify(Buffer.from('other words'), signature)).toBe(false);
    },
  );

  it('in another format is returned unchanged', () => {
    const key = new Secret(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private);
    expect(toSshFormat(key)).toBe(key);
  });
});

describe('a key of the sandbox', () => {
  it('is readable by ssh-keygen of OpenSSH and by ssh2', () => {
    const key = privateKeyOf('key-1', new Secret('an access secret'));
    expect(key.reveal()).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    expect(parse(key).type).toBe('ssh-ed25519');
    const directory = mkdtempSync(join(tmpdir(), 'alm-key-'));
    try {
      const file = join(directory, 'key');
      writeFileSync(file, key.reveal(), { mode: 0o600 });
      const publicKey = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
      expect(publicKey).toContain(`ssh-ed25519 ${parse(key).getPublicSSH().toString('base64')}`);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('a host key', () => {
  it('is written with its type, and its type is requested first when it is known', () => {
    const pair = parse(new Secret(ssh2.utils.generateKeyPairSync('ecdsa', { bits: 384 }).private));
    const written = writeHostKey(pair.getPublicSSH());
    expect(written).toMatch(/^ecdsa-sha2-nistp384 AAAA/);
    expect(fingerprintOf(written)).toMatch(/^SHA256:[\w+/]{43}$/);
    expect(algorithmsFor(written)[0]).toBe('ecdsa-sha2-nistp384');
    expect(algorithmsFor('ssh-rsa AAAA').slice(0, 2)).toEqual(['rsa-sha2-512', 'rsa-sha2-256']);
    expect(algorithmsFor(null)[0]).toBe('ssh-ed25519');
    expect(algorithmsFor(null)).not.toContain('ssh-rsa');
  });

  it('that is malformed does not throw', () => {
    expect(writeHostKey(Buffer.alloc(0))).toBe(' ');
    expect(writeHostKey(Buffer.from([255, 255, 255, 255, 1]))).toContain(' ');
  });
});

describe('an address', () => {
  it.each(['10.0.0.4', '172.18.0.2', '203.0.113.9', '2001:db8::7', 'fd00::2'])(
    '%s is accepted as the address of an instance',
    (ip) => {
      expect(isInstanceAddress(ip)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.7.7.7',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    'localhost',
    'instance.example',
    '2130706433',
    '',
  ])('%s is rejected as the address of an instance', (ip) => {
    expect(isInstanceAddress(ip)).toBe(false);
  });
});
