import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '../../basics/is-object.ts';
import { replaceFile } from '../../basics/replace-file.ts';
import { CliError } from '../cli-error.ts';
import { withFileLock } from '../settings/file-lock.ts';
import type { System } from '../system.ts';

type Members = Readonly<Record<string, unknown>>;

/** `docker-credential-alm`, without its prefix: the value of `credHelpers`. */
const helperName = 'alm';

const dockerConfig = ({ env, home }: System): string =>
  join(env.DOCKER_CONFIG || join(home, '.docker'), 'config.json');

/** Podman and skopeo read these before the file of docker. */
const podmanFiles = ({ env, home }: System): string[] => [
  ...(env.REGISTRY_AUTH_FILE ? [env.REGISTRY_AUTH_FILE] : []),
  env.XDG_RUNTIME_DIR
    ? join(env.XDG_RUNTIME_DIR, 'containers', 'auth.json')
    : `/run/containers/${userInfo().uid}/auth.json`,
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'containers', 'auth.json'),
];

/** Files in which container tools look up credentials: that of docker, which podman reads too, and those of podman that exist. */
export const authFilesOf = (system: System): string[] => [
  ...new Set([dockerConfig(system), ...podmanFiles(system).filter((path) => existsSync(path))]),
];

const unusable = (path: string, reason: string): CliError =>
  new CliError('refused', `Cannot change ${path}: ${reason}.`, {
    hints: ['Nothing was changed in it. Fix the file, or move it away.'],
  });

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function read(path: string): { text: string; members: Members } {
  const text = readFileSync(path, 'utf8');
  // Docker accepts an empty file.
  if (text.trim() === '') return { text: '{}', members: {} };
  try {
    const members: unknown = JSON.parse(text);
    if (isObject(members)) return { text, members };
  } catch {
    // The message of the parser would quote the file, which may contain passwords.
  }
  throw unusable(path, 'it is not a JSON object');
}

/** As the file is indented; docker uses tabs. */
const indentOf = (text: string): string => /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '\t';

async function changeFile(system: System, path: string, change: (members: Members) => Members) {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return await withFileLock(system.clock, path, async () => {
      // Inside the lock: another login may just have created it.
      const exists = existsSync(path);
      const { text, members } = exists ? read(path) : { text: '{}', members: {} };
      const changed = JSON.stringify(change(members), null, indentOf(text));
      if (JSON.stringify(JSON.parse(changed)) === JSON.stringify(members)) return false;
      replaceFile(
        path,
        text.endsWith('\n') ? `${changed}\n` : changed,
        exists ? statSync(path).mode & 0o777 : 0o600,
      );
      return true;
    });
  } catch (error) {
    throw error instanceof CliError ? error : unusable(path, reasonOf(error));
  }
}

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** Without the member, and without the whole group if nothing is left in it. */
function without(members: Members, group: string, name: string): Members {
  const { [name]: _removed, ...rest } = membersOf(members[group]);
  const { [group]: _old, ...others } = members;
  return Object.keys(rest).length === 0 ? others : { ...members, [group]: rest };
}

const hasAuth = (members: Members, host: string): boolean =>
  Object.keys(membersOf(membersOf(members['auths'])[host])).length > 0;

/** Names the helper for the host, and removes a password of the host: it would stay readable, and is no longer used. */
export async function addHelper(
  system: System,
  path: string,
  host: string,
): Promise<{ hadPassword: boolean }> {
  let hadPassword = false;
  await changeFile(system, path, (members) => {
    hadPassword = hasAuth(members, host);
    const kept = hadPassword ? without(members, 'auths', host) : members;
    return { ...kept, credHelpers: { ...membersOf(kept['credHelpers']), [host]: helperName } };
  });
  return { hadPassword };
}

/** Hosts for which the file names the helper. */
const hostsIn = (path: string): string[] =>
  existsSync(path)
    ? Object.entries(membersOf(read(path).members['credHelpers']))
        .filter(([, helper]) => helper === helperName)
        .map(([host]) => host)
    : [];

/** Hosts for which container tools use the helper. */
export const hostsWithHelper = (system: System): string[] => [
  ...new Set(authFilesOf(system).flatMap(hostsIn)),
];

/** Returns whether the file named the helper. */
const removeHelper = async (system: System, path: string, host: string): Promise<boolean> =>
  existsSync(path) &&
  (await changeFile(system, path, (members) =>
    membersOf(members['credHelpers'])[host] === helperName ? without(members, 'credHelpers', host) : members,
  ));

/** Removes the helper of these hosts. Returns the files that named it. */
export async function removeHelpers(system: System, hosts: readonly string[]): Promise<string[]> {
  const changed = new Set<string>();
  for (const path of authFilesOf(system))
    for (const host of hosts) if (await removeHelper(system, path, host)) changed.add(path);
  return [...changed];
}
