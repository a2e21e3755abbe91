import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { byText, sorted } from '../sorted.ts';

const block = 512;

interface Header {
  path: string;
  kind: 'file' | 'directory' | 'link' | 'extension';
  mode: number;
  size: number;
  /** Seconds since 1970. */
  modified: number;
  target?: string;
}

const typeFlags = { file: '0', directory: '5', link: '2', extension: 'x' } as const;

const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

function headerBlock({ path, kind, mode, size, modified, target = '' }: Header): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  header.write(path, 0, 100, 'utf8');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(modified, 136, 12);
  header.write('        ', 148, 'latin1');
  header.write(typeFlags[kind], 156, 'latin1');
  header.write(target, 157, 100, 'utf8');
  header.write('ustar\u000000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

/** `<length> <name>=<value>\n`, where the length counts its own digits too. */
function extensionRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}

/** What does not fit into a header stands in a record before it. */
function headerBlocks(header: Header): Buffer {
  const records = [
    Buffer.byteLength(header.path) > 100 ? extensionRecord('path', header.path) : '',
    Buffer.byteLength(header.target ?? '') > 100 ? extensionRecord('linkpath', header.target ?? '') : '',
    header.size >= 8 ** 11 ? extensionRecord('size', String(header.size)) : '',
  ].join('');
  if (records === '') return headerBlock(header);
  const content = Buffer.from(records);
  const extension: Header = {
    path: 'extension',
    kind: 'extension',
    mode: 0o644,
    size: content.length,
    modified: header.modified,
  };
  const size = header.size >= 8 ** 11 ? 0 : header.size;
  return Buffer.concat([
    headerBlock(extension),
    content,
    padding(content.length),
    headerBlock({ ...header, size }),
  ]);
}

/** The repository's own records stay behind: they are large, and a web server might show them to the world. */
const isLeftOut = (name: string): boolean => name === '.git';

async function* packEntry(source: string, path: string): AsyncGenerator<Buffer> {
  const found = await lstat(source);
  const common = { mode: found.mode & 0o777, modified: Math.max(0, Math.floor(found.mtimeMs / 1000)) };
  if (found.isSymbolicLink())
    yield headerBlocks({ ...common, path, kind: 'link', size: 0, target: await readlink(source) });
  else if (found.isDirectory()) {
    yield headerBlocks({ ...common, path: `${path}/`, kind: 'directory', size: 0 });
    yield* packBelow(source, path);
  } else if (found.isFile()) {
    yield headerBlocks({ ...common, path, kind: 'file', size: found.size });
    let sent = 0;
    for await (const chunk of createReadStream(source) as AsyncIterable<Buffer>) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent !== found.size) throw new Error(`${path} changed while it was read.`);
    yield padding(found.size);
  }
}

async function* packBelow(directory: string, prefix: string): AsyncGenerator<Buffer> {
  for (const name of sorted(await readdir(directory), byText))
    if (!isLeftOut(name)) yield* packEntry(join(directory, name), `${prefix}/${name}`);
}

async function* packAll(directory: string, prefix: string): AsyncGenerator<Buffer> {
  yield* packBelow(directory, prefix);
  yield Buffer.alloc(2 * block);
}

/**
 * What is in the directory as a tar archive, owned by root, to be unpacked at `/`: `target` stands before every name. The
 * target itself and what is above it are not in it, so that the image's own modes of them stay.
 */
export const packDirectory = (directory: string, target: string): Readable =>
  Readable.from(packAll(directory, target.replace(/^\/+|\/+$/g, '')), { objectMode: false });
