import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AwsAccess, readObject } from '../cloud/aws.ts';
import { runCommand } from '../command.ts';
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

/** Downloads an archive from an object store or a URL and unpacks it into the directory. */
export async function fetchObject(
  tools: CodeTools & { aws: AwsAccess },
  path: string,
  directory: string,
): Promise<void> {
  const content = await download(tools.aws, path);
  const archive = join(tools.stateDirectory, 'code-archive');
  const unpack = isZip(content)
    ? ['unzip', '-q', '-o', archive, '-d', directory]
    : ['tar', '-x', '-f', archive, '-C', directory];
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(archive, content, { mode: 0o600 });
    await runCommand(tools.clock, unpack, { signal: tools.signal });
  } catch (error) {
    throw new Error(`Cannot unpack ${path}: ${reasonOf(error)} ${archiveRequired}`, {
      cause: error,
    });
  } finally {
    await rm(archive, { force: true });
  }
}
