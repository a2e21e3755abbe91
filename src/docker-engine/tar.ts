import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';
import type { FileToPut } from './container-types.ts';

interface EntryHead {
  /** Leading slashes are dropped: archives are unpacked relative to a directory. */
  path: string;
  mode: number;
  /** Milliseconds since 1970. */
  modifiedAt: number;
  /** Default: root. */
  owner?: { uid: number; gid: number };
}

export type TarEntry = EntryHead &
  (
    | { kind: 'file'; content: Buffer }
    /** The chunks must add up to `size`. */
    | { kind: 'file'; size: number; chunks: AsyncIterable<Buffer> }
    | { kind: 'directory' }
    | { kind: 'symlink'; target: string }
  );

/** tar-stream replaces mode 0 with a default. These bits prevent that; it masks them out. */
const regularFile = 0o100000;
/** tar-stream writes times as 32-bit numbers. */
const maxTimeMs = 0x7fffffff * 1000;

const headerOf = ({ path, mode, modifiedAt, owner = { uid: 0, gid: 0 }, ...entry }: TarEntry) => ({
  ...owner,
  name: path.replace(/^\/+/, ''),
  mode: mode | regularFile,
  mtime: new Date(Math.min(Math.max(0, modifiedAt), maxTimeMs)),
  type: entry.kind,
  ...(entry.kind === 'symlink' ? { linkname: entry.target } : {}),
  ...('size' in entry ? { size: entry.size } : {}),
});

/** Resolves when the entry is written. Waits for the reader of the archive. */
function addEntry(archive: Pack, entry: TarEntry): Promise<void> {
  const header = headerOf(entry);
  if ('chunks' in entry) return pipeline(Readable.from(entry.chunks), archive.entry(header));
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    if ('content' in entry) archive.entry(header, entry.content, done);
    else archive.entry(header, done);
  });
}

async function addEntries(
  archive: Pack,
  entries: Iterable<TarEntry> | AsyncIterable<TarEntry>,
): Promise<void> {
  for await (const entry of entries) await addEntry(archive, entry);
  archive.finalize();
}

/** A tar archive as a stream. An error of `entries` destroys the stream. */
export function packEntries(entries: Iterable<TarEntry> | AsyncIterable<TarEntry>): Readable {
  const archive = pack();
  addEntries(archive, entries).catch((error: Error) => archive.destroy(error));
  return Readable.from(archive, { objectMode: false });
}

/** An archive of plain files. It has no directories: an entry for an existing directory would change its mode. */
export const packFiles = (files: readonly FileToPut[], nowMs: number): Promise<Buffer> =>
  buffer(
    packEntries(
      files.map(({ path, content, mode = 0o644, owner }) => ({
        kind: 'file',
        path,
        content: Buffer.from(content),
        mode,
        modifiedAt: nowMs,
        ...(owner ? { owner } : {}),
      })),
    ),
  );

/** The first plain file of an archive; undefined: there is none. */
export async function readFirstFile(archive: Buffer): Promise<Buffer | undefined> {
  const entries = extract();
  entries.end(archive);
  for await (const entry of entries) {
    // Not awaited here: leaving the loop ends the extractor, which an unread rest of the archive would otherwise block.
    if (entry.header.type === 'file') return buffer(entry);
    entry.resume();
  }
  return undefined;
}
