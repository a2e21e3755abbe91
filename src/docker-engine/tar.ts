import type { FileToPut } from './container-types.ts';

const blockSize = 512;
const longest = { name: 100, prefix: 155 };

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const padding = (size: number): number => (blockSize - (size % blockSize)) % blockSize;

/** A tar head has two places for a path: the last part goes to the first, what stands before to the second. */
function splitPath(path: string): { name: string; prefix: string } {
  const bare = path.replace(/^\/+/, '');
  if (Buffer.byteLength(bare) <= longest.name) return { name: bare, prefix: '' };
  for (let at = bare.indexOf('/'); at !== -1; at = bare.indexOf('/', at + 1)) {
    const [prefix, name] = [bare.slice(0, at), bare.slice(at + 1)];
    if (Buffer.byteLength(name) <= longest.name && Buffer.byteLength(prefix) <= longest.prefix)
      return { name, prefix };
  }
  throw new Error(`The path is too long for a tar archive: ${path}`);
}

function headOf(file: FileToPut, size: number, nowMs: number): Buffer {
  const head = Buffer.alloc(blockSize);
  const { name, prefix } = splitPath(file.path);
  const { uid, gid } = file.owner ?? { uid: 0, gid: 0 };
  head.write(name, 0);
  head.write(octal(file.mode ?? 0o644, 8), 100);
  head.write(octal(uid, 8), 108);
  head.write(octal(gid, 8), 116);
  head.write(octal(size, 12), 124);
  head.write(octal(Math.floor(nowMs / 1000), 12), 136);
  head.write(' '.repeat(8), 148);
  head.write('0', 156);
  head.write('ustar\x0000', 257);
  head.write(prefix, 345);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** An archive of plain files. Directories are left to whoever unpacks: naming those that exist would change them. */
export function packTar(files: readonly FileToPut[], nowMs: number): Buffer {
  const blocks = files.flatMap((file) => {
    const content = Buffer.from(file.content);
    return [headOf(file, content.length, nowMs), content, Buffer.alloc(padding(content.length))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

/** The first plain file of an archive; undefined: there is none. Heads of other kinds may stand before it. */
export function firstFileOfTar(archive: Buffer): Buffer | undefined {
  let at = 0;
  while (at + blockSize <= archive.length && archive[at] !== 0) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    const kind = archive.toString('latin1', at + 156, at + 157);
    at += blockSize;
    if (kind === '0' || kind === '\0') return archive.subarray(at, at + size);
    at += size + padding(size);
  }
  return undefined;
}
