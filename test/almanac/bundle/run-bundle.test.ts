import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeFileOf, packCode, runBundle } from '../../../src/almanac/bundle/run-bundle.ts';

const sourceSaying = (word: string): string =>
  `(function (require, load, file) { require('node:fs').writeFileSync(file + '.said', (() => '${word}')()); })`;

let directory = '';
let bundle = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'almanac-bundle-'));
  bundle = join(directory, 'program.cjs');
  writeFileSync(bundle, sourceSaying('one'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const said = (): string => readFileSync(`${bundle}.said`, 'utf8');
const source = (): Buffer => readFileSync(bundle);
const compile = (): Buffer => runBundle(bundle).createCachedData();
const writeCode = (packed: Buffer): void => writeFileSync(codeFileOf(bundle), packed);
/** Undefined: the source was compiled, and no code was tried. */
const wasRejected = (script: Script): boolean | undefined => script.cachedDataRejected;

describe('a bundle', () => {
  test('runs without compiled code', () => {
    expect(wasRejected(runBundle(bundle))).toBeUndefined();
    expect(said()).toBe('one');
  });

  test('runs its compiled code', () => {
    writeCode(packCode(source(), compile()));
    expect(wasRejected(runBundle(bundle))).toBe(false);
    expect(said()).toBe('one');
  });

  test('of the same length as an earlier one does not run the code of that one', () => {
    writeCode(packCode(source(), compile()));
    writeFileSync(bundle, sourceSaying('two'));
    expect(wasRejected(runBundle(bundle))).toBeUndefined();
    expect(said()).toBe('two');
  });

  test('runs from its source if a single byte of the code is damaged', () => {
    const packed = packCode(source(), compile());
    packed[packed.length - 9]! ^= 1;
    writeCode(packed);
    expect(wasRejected(runBundle(bundle))).toBeUndefined();
    expect(said()).toBe('one');
  });

  test.each([0, 4, 8, 100])('runs from its source if only %i bytes of the code were written', (length) => {
    writeCode(packCode(source(), compile()).subarray(0, length));
    expect(wasRejected(runBundle(bundle))).toBeUndefined();
    expect(said()).toBe('one');
  });

  test('runs from its source if the code is of another version of Node', () => {
    const code = compile();
    code.writeUInt32LE((code.readUInt32LE(4) ^ 1) >>> 0, 4); // the version of V8
    writeFileSync(bundle, sourceSaying('two')); // V8 remembers the source that it has just compiled
    writeCode(packCode(source(), code));
    expect(wasRejected(runBundle(bundle))).toBe(true);
    expect(said()).toBe('two');
  });

  test('loads packages that are modules', async () => {
    writeFileSync(bundle, `(function (require, load) { globalThis.loaded = load('yaml'); })`);
    runBundle(bundle);
    expect(await Reflect.get(globalThis, 'loaded')).toHaveProperty('parse');
    Reflect.deleteProperty(globalThis, 'loaded');
  });
});

describe('the built server', () => {
  const built = readFileSync(join(import.meta.dirname, '../../../dist/bundle/almanac.cjs'), 'utf8');

  test('leaves packages outside the bundle that read files next to themselves', () => {
    expect(built).not.toContain('db.json.gz');
  });

  test('loads packages only by the function it is given, as a script has no import', () => {
    expect(built).not.toMatch(/(?<![.\w])import\(/);
  });
});
