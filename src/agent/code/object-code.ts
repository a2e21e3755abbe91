import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AwsAccess, readObject } from '../cloud/aws.ts';
import { runCommand } from '../command.ts';
import { http } from '../http.ts';
import type { CodeTools } from './git.ts';

const maxRedirects = 5;
const notAnArchive = 'It must be a tar, tar.gz or zip archive.';

async function download(aws: AwsAccess, path: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(path)) {
    const [, bucket = '', key = ''] = /^(?:s3:\/\/)?\/?([^/]+)\/?(.*)$/.exec(path) ?? [];
    if (key === '' || key.endsWith('/')) throw new Error(`${path} is no single object. ${notAnArchive}`);
    return readObject(aws, bucket, key);
  }
  return downloadFromWeb(aws, path);
}

async function downloadFromWeb({ clock }: AwsAccess, address: string): Promise<Buffer> {
  let place = address;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const { status, headers, body } = await http(clock, place, { timeoutSeconds: 600 });
    if (status === 200) return body;
    if (status < 300 || status >= 400 || !headers.location) throw new Error(`${address} answered ${status}.`);
    place = new URL(headers.location, place).href;
  }
  throw new Error(`${address} leads in circles.`);
}

const isZip = (content: Buffer): boolean => content.subarray(0, 2).toString('latin1') === 'PK';

/** Puts the content of an archive in an object store, or anywhere on the web, into the directory. */
export async function fetchObject(
  tools: CodeTools,
  aws: AwsAccess,
  path: string,
  directory: string,
): Promise<void> {
  const content = await download(aws, path);
  const archive = join(tools.stateDirectory, 'code-archive');
  const unpack = isZip(content)
    ? ['unzip', '-q', '-o', archive, '-d', directory]
    : ['tar', '-x', '-f', archive, '-C', directory];
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(archive, content, { mode: 0o600 });
    await runCommand(tools.clock, unpack, { signal: tools.signal });
  } catch (error) {
    throw new Error(`${path} cannot be unpacked: ${(error as Error).message} ${notAnArchive}`, {
      cause: error,
    });
  } finally {
    await rm(archive, { force: true });
  }
}
