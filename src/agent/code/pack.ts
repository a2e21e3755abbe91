import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { packEntries, type TarEntry } from '../../docker-engine/tar.ts';
import { byText, sorted } from '../sorted.ts';

/** `.git` is large, and a web server could expose it. */
const isExcluded = (name: string): boolean => name === '.git';

/** The content of a file that must not change while it is read. */
async function* readChunks(source: string, path: string, size: number): AsyncGenerator<Buffer> {
  const changed = () => new Error(`${path} changed while it was read.`);
  let read = 0;
  for await (const chunk of createReadStream(source) as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > size) throw changed();
    yield chunk;
  }
  if (read < size) throw changed();
}

/** Skips sockets and devices. */
async function* entriesOf(source: string, path: string): AsyncGenerator<TarEntry> {
  const stats = await lstat(source);
  const common = { path, mode: stats.mode & 0o777, modifiedAt: stats.mtimeMs };
  if (stats.isSymbolicLink()) yield { ...common, kind: 'symlink', target: await readlink(source) };
  else if (stats.isDirectory()) {
    yield { ...common, kind: 'directory' };
    yield* entriesIn(source, path);
  } else if (stats.isFile())
    yield { ...common, kind: 'file', size: stats.size, chunks: readChunks(source, path, stats.size) };
}

async function* entriesIn(directory: string, prefix: string): AsyncGenerator<TarEntry> {
  for (const name of sorted(await readdir(directory), byText))
    if (!isExcluded(name)) yield* entriesOf(join(directory, name), `${prefix}/${name}`);
}

/**
 * Streams the content of the directory as a tar archive, owned by root, to unpack at `/`. All names start with `target`.
 * The archive does not contain the target itself or its parents, so that they keep the modes they have in the image.
 */
export const packDirectory = (directory: string, target: string): Readable =>
  packEntries(entriesIn(directory, target.replace(/^\/+|\/+$/g, '')));
