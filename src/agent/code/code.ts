import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppEngine } from '../app-engine.ts';
import type { AwsAccess } from '../cloud/aws.ts';
import type { Code } from '../deployment.ts';
import { type CodeTools, fetchRepository } from './git.ts';
import { fetchObject } from './object-code.ts';
import { packDirectory } from './pack.ts';

/** Label of an image that names its code directory. The default is where most web servers look. */
export const codeDirectoryLabel = 'almanac.code-directory';
export const defaultCodeDirectory = '/var/www/html';

/** Fetches the code and copies it into the container. Leaves no copy on the instance. */
export async function putCode(
  tools: CodeTools & { engine: AppEngine; aws: AwsAccess },
  { code, container, target }: { code: Code; container: string; target: string },
): Promise<void> {
  const directory = join(tools.stateDirectory, 'code');
  await rm(directory, { recursive: true, force: true });
  try {
    if (code.kind === 'git') await fetchRepository(tools, code, directory);
    else await fetchObject(tools, code.path, directory);
    await tools.engine.putArchive(container, packDirectory(directory, target));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
