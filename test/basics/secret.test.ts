import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeyFile,
  lacksSealingKey,
  readRetiredKeys,
  readSealingKeys,
  replaceKeyFile,
  retireKeys,
  watchSealingKeys,
} from '../../src/basics/sealing-key.ts';
import {
  Secret,
  sealedPrefix,
  sealerReading,
  sealerWithKey,
  sealerWithKeys,
} from '../../src/basics/secret.ts';

const secret = new Secret('hunter2-hunter2');

describe('a secret', () => {
  it('is never printed, however it is formatted', () => {
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

  it('unseals only with the same context', () => {
    const sealed = sealer.seal(secret, 'purpose one');
    expect(sealed).not.toContain('hunter2');
    expect(sealer.unseal(sealed, 'purpose one').reveal()).toBe('hunter2-hunter2');
    expect(() => sealer.unseal(sealed, 'purpose two')).toThrow();
  });

  it('never produces the same text twice', () => {
    expect(sealer.seal(secret, 'p')).not.toBe(sealer.seal(secret, 'p'));
  });

  it('rejects a modified text and another key', () => {
    const sealed = sealer.seal(secret, 'p');
    const last = sealed.at(-1) === 'A' ? 'B' : 'A';
    expect(() => sealer.unseal(sealed.slice(0, -1) + last, 'p')).toThrow();
    expect(() => sealerWithKey(randomBytes(32)).unseal(sealed, 'p')).toThrow(
      /Sealed with key \w+, but this server has only \w+/,
    );
  });

  it('requires a key of 32 bytes', () => {
    expect(() => sealerWithKey(randomBytes(16))).toThrow(/32 bytes/);
  });
});

describe('sealing with several keys', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)] as const;

  it('seals with the first key and unseals with any', () => {
    const sealer = sealerWithKeys(next, [old]);
    expect(sealer.seal(secret, 'p').startsWith(sealedPrefix(next))).toBe(true);
    for (const key of [old, next])
      expect(sealer.unseal(sealerWithKey(key).seal(secret, 'p'), 'p').reveal()).toBe('hunter2-hunter2');
    const foreign = sealerWithKey(randomBytes(32)).seal(secret, 'p');
    expect(() => sealer.unseal(foreign, 'p')).toThrow(/but this server has only \w+, \w+\.$/);
  });

  it('uses a key that appears while it runs, and seals with it immediately', () => {
    let keys: [Buffer, ...Buffer[]] = [old];
    const sealer = sealerReading(() => keys);
    keys = [next, old];
    expect(sealer.unseal(sealerWithKey(next).seal(secret, 'p'), 'p').reveal()).toBe('hunter2-hunter2');
    expect(sealer.seal(secret, 'p').startsWith(sealedPrefix(next))).toBe(true);
  });
});

describe('the sealing key', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'almanac-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is created once, readable only by its owner, and read again', () => {
    const place = join(directory, 'data');
    expect(lacksSealingKey(place, null)).toBe(true);
    expect(lacksSealingKey(place, secret)).toBe(false);
    const key = readSealingKeys(place, null);
    expect(lacksSealingKey(place, null)).toBe(false);
    expect(readSealingKeys(place, null)).toEqual(key);
    expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('is that of the first server when several start at once: a later one keeps it and leaves no other file', () => {
    const file = join(directory, 'secret.key');
    createKeyFile(file);
    const first = readSealingKeys(directory, null);
    createKeyFile(file);
    expect(readSealingKeys(directory, null)).toEqual(first);
    expect(readdirSync(directory)).toEqual(['secret.key']);
  });

  it('is read from the environment when set, and rejected when it is not 32 bytes', () => {
    const key = randomBytes(32);
    expect(readSealingKeys(directory, new Secret(key.toString('base64')))).toEqual([key]);
    expect(() => readSealingKeys(directory, new Secret('c2hvcnQ='))).toThrow(
      /ALM_SECRET_KEY must be 32 bytes in base64/,
    );
    writeFileSync(join(directory, 'secret.key'), 'garbage');
    expect(() => readSealingKeys(directory, null)).toThrow(/secret\.key must be 32 bytes/);
  });

  it('may be several: separated by commas in the environment, by lines in the file', () => {
    const [one, two] = [randomBytes(32), randomBytes(32)] as const;
    const text = [one, two].map((key) => key.toString('base64'));
    expect(readSealingKeys(directory, new Secret(text.join(',')))).toEqual([one, two]);
    expect(readSealingKeys(directory, new Secret(text.join(' , ')))).toEqual([one, two]);
    writeFileSync(join(directory, 'secret.key'), `${text.join('\n')}\n\n`);
    expect(readSealingKeys(directory, null)).toEqual([one, two]);
    expect(() => readSealingKeys(directory, new Secret(`${text[0]},short`))).toThrow(/ALM_SECRET_KEY must/);
  });

  it('is kept after rotation, readable only by its owner, latest first and without duplicates', () => {
    const file = join(directory, 'secret.key');
    const [one, two, three] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
    retireKeys(file, [one]);
    expect(readRetiredKeys(file)).toEqual([]);
    retireKeys(file, [two, one]);
    expect(readSealingKeys(directory, null)).toEqual([two]);
    expect(readRetiredKeys(file)).toEqual([one]);
    for (let each = 0; each < 2; each += 1) retireKeys(file, [three, two]);
    expect(readSealingKeys(directory, null)).toEqual([three]);
    expect(readRetiredKeys(file)).toEqual([two, one]);
    for (const name of ['secret.key', 'secret.key.old'])
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  it('is replaced atomically, readable only by its owner, and visible to watchers', () => {
    const file = join(directory, 'secret.key');
    const keys = watchSealingKeys(directory, null);
    const [first] = keys();
    const next = randomBytes(32);
    replaceKeyFile(file, [next, first]);
    expect(keys()).toEqual([next, first]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    writeFileSync(file, 'half a key');
    expect(keys()).toEqual([next, first]);
    rmSync(file);
    expect(keys()).toEqual([next, first]);
  });
});
