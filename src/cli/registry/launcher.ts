import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../basics/replace-file.ts';
import { shellQuote } from '../../basics/shell-quote.ts';
import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';

/** By this line a later login knows a launcher of its own. */
const mark = 'Written by "alm registry login"';

const fileName = ({ platform }: System): string =>
  platform === 'win32' ? 'docker-credential-alm.cmd' : 'docker-credential-alm';

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const foldersOnPath = ({ env }: System): string[] =>
  (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');

const contentOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/** Node and alm by their full paths: container tools may run with another PATH. */
function launcherText({ platform, program }: System): string {
  const { node, script } = program;
  if (platform === 'win32') return `@rem ${mark}.\r\n@"${node}" "${script}" registry credential %*\r\n`;
  return `#!/bin/sh\n# ${mark}: gives container tools the login of alm.\nexec ${shellQuote(node)} ${shellQuote(script)} registry credential "$@"\n`;
}

/** Where an earlier login wrote it; else beside alm, if container tools find it there; else the folder of the user. */
function defaultFolder(system: System): string {
  const folders = foldersOnPath(system);
  const name = fileName(system);
  const earlier = folders.find(
    (folder) => contentOf(join(folder, name))?.includes(mark) && isWritable(folder),
  );
  const besideAlm = dirname(system.program.script);
  if (earlier !== undefined) return earlier;
  return folders.includes(besideAlm) && isWritable(besideAlm)
    ? besideAlm
    : join(system.home, '.local', 'bin');
}

/** Writes the program `docker-credential-alm`, which container tools start. */
export function installLauncher(system: System, chosen?: string): { path: string; isOnPath: boolean } {
  const folder = chosen === undefined ? defaultFolder(system) : resolve(chosen);
  const path = join(folder, fileName(system));
  const found = contentOf(path);
  const text = launcherText(system);
  if (found !== null && !found.includes(mark))
    throw new CliError('refused', `${path} is another program; it is not replaced.`, {
      hints: ['To write the helper to another directory: --dir <directory>'],
    });
  try {
    mkdirSync(folder, { recursive: true });
    if (found !== text) replaceFile(path, text, 0o755);
  } catch (error) {
    throw new CliError('refused', `Cannot write ${path}.`, {
      lines: [error instanceof Error ? error.message : String(error)],
      hints: ['To write the helper to another directory: --dir <directory>'],
      cause: error,
    });
  }
  return { path, isOnPath: foldersOnPath(system).includes(folder) };
}
