import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AwsAccess, readObject } from '../cloud/aws.ts';
import { OutputTooLarge, runCommand } from '../command.ts';
import { DeployFailure } from '../failure.ts';
import { http } from '../http.ts';
import { reasonOf } from '../log.ts';
import type { CodeTools } from './git.ts';

const maxRedirects = 5;
const archiveRequired = 'The code must be a tar, tar.gz or zip archive.';

async function download(aws: AwsAccess, path: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(path)) {
    const [, bucket = '', key = ''] = /^(?:s3:\/\/)?\/?([^/]+)\/?(.*)$/s.exec(path) ?? [];
    if (key === '' || key.endsWith('/')) throw new Error(`${path} is not an object. ${archiveRequired}`);
    return readObject(aws, bucket, key);
  }
  return downloadUrl(aws, path);
}

async function downloadUrl({ clock }: AwsAccess, address: string): Promise<Buffer> {
  let url = address;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const { status, headers, body } = await http(clock, url, { timeoutSeconds: 600 });
    if (status === 200) return body;
    if (status < 300 || status >= 400 || !headers.location)
      throw new Error(`${address} returned status ${status}.`);
    url = new URL(headers.location, url).href;
  }
  throw new Error(`${address}: more than ${maxRedirects} redirects.`);
}

const isZip = (content: Buffer): boolean => content.subarray(0, 2).toString('latin1') === 'PK';

/** Not more than this is unpacked: the disk of the instance is for the application, too. */
const unpackedLimits = { bytes: 2 * 1024 ** 3, files: 200_000 };

interface ArchiveCommands {
  /** Writes one name per line. */
  list: string[];
  /** Writes the content of all files: the sizes in an archive may be wrong. */
  read: string[];
  unpackTo: (directory: string) => string[];
}

const zipCommands = (archive: string): ArchiveCommands => ({
  list: ['unzip', '-Z1', archive],
  read: ['unzip', '-p', archive],
  unpackTo: (directory) => ['unzip', '-q', '-o', archive, '-d', directory],
});

const tarCommands = (archive: string): ArchiveCommands => ({
  list: ['tar', '-t', '-f', archive],
  read: ['tar', '-x', '-O', '-f', archive],
  unpackTo: (directory) => ['tar', '-x', '-f', archive, '-C', directory],
});

type UnpackTools = CodeTools & { unpackedLimits?: { bytes: number; files: number } };

const tooLarge = ({ bytes, files }: { bytes: number; files: number }, cause: unknown): DeployFailure =>
  new DeployFailure(
    `The code has more than ${files} files, or more than ${bytes} bytes when unpacked. Leave out what the application does not need, or put it into the image.`,
    { definite: true, cause },
  );

/** Unpacks only what was found to be within the limits. */
async function unpack(tools: UnpackTools, commands: ArchiveCommands, directory: string): Promise<void> {
  const { clock, signal } = tools;
  const limits = tools.unpackedLimits ?? unpackedLimits;
  const { bytes, files } = limits;
  try {
    await runCommand(clock, commands.list, { signal, maxOutput: { bytes: Infinity, lines: files } });
    await runCommand(clock, commands.read, { signal, maxOutput: { bytes, lines: Infinity } });
  } catch (error) {
    throw error instanceof OutputTooLarge ? tooLarge(limits, error) : error;
  }
  await runCommand(clock, commands.unpackTo(directory), { signal });
}

/** Downloads an archive from an object store or a URL and unpacks it into the directory. */
export async function fetchObject(
  tools: UnpackTools & { aws: AwsAccess },
  path: string,
  directory: string,
): Promise<void> {
  const content = await download(tools.aws, path);
  const archive = join(tools.stateDirectory, 'code-archive');
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(archive, content, { mode: 0o600 });
    await unpack(tools, isZip(content) ? zipCommands(archive) : tarCommands(archive), directory);
  } catch (error) {
    if (error instanceof DeployFailure) throw error;
    throw new Error(`Cannot unpack ${path}: ${reasonOf(error)} ${archiveRequired}`, {
      cause: error,
    });
  } finally {
    await rm(archive, { force: true });
  }
}
