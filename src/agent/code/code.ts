import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppEngine } from '../app-engine.ts';
import type { AwsAccess } from '../cloud/aws.ts';
import type { Code } from '../wanted.ts';
import { type CodeTools, fetchRepository } from './git.ts';
import { fetchObject } from './object-code.ts';
import { packDirectory } from './pack.ts';

/** Images say with this label where their code goes; those that do not get it where most web servers look. */
export const codeDirectoryLabel = 'almanac.code-directory';
export const usualCodeDirectory = '/var/www/html';

/** Fetches the code, gives the container a copy of it, and leaves nothing of it on the instance. */
export async function putCode(
  tools: CodeTools & { engine: AppEngine; aws: AwsAccess },
  code: Code,
  container: string,
  target: string,
): Promise<void> {
  const directory = join(tools.stateDirectory, 'code');
  await rm(directory, { recursive: true, force: true });
  try {
    if (code.kind === 'git') await fetchRepository(tools, code, directory);
    else await fetchObject(tools, tools.aws, code.path, directory);
    await tools.engine.putArchive(container, packDirectory(directory, target));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
