import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSealingKey } from '../../src/basics/sealing-key.ts';
import { Secret, sealerWithKey } from '../../src/basics/secret.ts';

const secret = new Secret('hunter2-hunter2');

describe('a secret', () => {
  it('does not print, however it is printed', () => {
    const printed = [
      secret.toString(),
      JSON.stringify({ secret }),
      inspect({ secret }),
      inspect(secret, { showHidden: true }),
      String(secret),
    ];
    expect(printed.join()).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });
});

describe('sealing', () => {
  const sealer = sealerWithKey(randomBytes(32));

  it('opens for the same purpose only', () => {
    const sealed = sealer.seal(secret, 'purpose one');
    expect(sealed).not.toContain('hunter2');
    expect(sealer.unseal(sealed, 'purpose one').reveal()).toBe('hunter2-hunter2');
    expect(() => sealer.unseal(sealed, 'purpose two')).toThrow();
  });

  it('never gives the same text twice', () => {
    expect(sealer.seal(secret, 'p')).not.toBe(sealer.seal(secret, 'p'));
  });

  it('notices a changed text and another key', () => {
    const sealed = sealer.seal(secret, 'p');
    const last = sealed.at(-1) === 'A' ? 'B' : 'A';
    expect(() => sealer.unseal(sealed.slice(0, -1) + last, 'p')).toThrow();
    expect(() => sealerWithKey(randomBytes(32)).unseal(sealed, 'p')).toThrow(
      /Sealed with key \w+, but this server holds \w+/,
    );
  });

  it('wants a key of 32 bytes', () => {
    expect(() => sealerWithKey(randomBytes(16))).toThrow(/32 bytes/);
  });
});

describe('the sealing key', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'almanac-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is made once, readable by its owner only, and read again', () => {
    const place = join(directory, 'data');
    const key = readSealingKey(place, null);
    expect(readSealingKey(place, null)).toEqual(key);
    expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('comes from the environment when given there, and is refused when it is not 32 bytes', () => {
    const key = randomBytes(32);
    expect(readSealingKey(directory, new Secret(key.toString('base64')))).toEqual(key);
    expect(() => readSealingKey(directory, new Secret('c2hvcnQ='))).toThrow(
      /ALM_SECRET_KEY must hold 32 bytes in base64/,
    );
    writeFileSync(join(directory, 'secret.key'), 'garbage');
    expect(() => readSealingKey(directory, null)).toThrow(/secret\.key must hold 32 bytes/);
  });
});
