import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Where the build puts the compiled code of a bundle. */
export const codeFileOf = (bundle: string): string => `${bundle}.code`;

/** V8 compares only the length of the source, and does not notice damage: the sums of both come first. */
const sumBytes = 8;

export function packCode(source: Buffer, code: Buffer): Buffer {
  const sums = Buffer.alloc(sumBytes);
  sums.writeUInt32LE(crc32(source), 0);
  sums.writeUInt32LE(crc32(code), 4);
  return Buffer.concat([sums, code]);
}

/** Undefined: the file is missing, damaged or of another source. */
export function unpackCode(source: Buffer, packed: Buffer | undefined): Buffer | undefined {
  if (!packed || packed.length <= sumBytes) return undefined;
  const code = packed.subarray(sumBytes);
  const fits = packed.readUInt32LE(0) === crc32(source) && packed.readUInt32LE(4) === crc32(code);
  return fits ? code : undefined;
}

const readIfThere = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

type Program = (require: NodeJS.Require, load: (name: string) => Promise<unknown>, file: string) => void;

/**
 * Runs a CommonJS bundle. With its compiled code, a start takes much less time; without it, or with that of another version of
 * Node, V8 compiles the source as usual.
 */
export function runBundle(bundle: string): Script {
  const source = readFileSync(bundle);
  const cachedData = unpackCode(source, readIfThere(codeFileOf(bundle)));
  const script = new Script(source.toString(), { filename: bundle, ...(cachedData ? { cachedData } : {}) });
  const program = script.runInThisContext() as Program;
  // A script of its own has no `import`.
  program(createRequire(bundle), (name) => import(name), bundle);
  return script;
}
