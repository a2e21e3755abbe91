import { readFile } from 'node:fs/promises';
import type { Clock } from '../../basics/clock.ts';
import { runCommand } from '../command.ts';
import { type AgentLog, reasonOf } from '../log.ts';

export interface UserTools {
  clock: Clock;
  passwdFile: string;
  /** Creates a login user with a home directory. */
  add(name: string): Promise<void>;
}

interface LoginUser {
  name: string;
  publicKey: string;
}

interface Account {
  uid: number;
  gid: number;
  home: string;
}

const validName = /^[a-z][a-z0-9_-]{0,30}$/;
const validKey = /^(ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/=]+( .*)?$/;

/** Debian and Fedora have `useradd`, Alpine has `adduser`. */
export const addUser =
  (clock: Clock): UserTools['add'] =>
  (name) =>
    runCommand(clock, ['useradd', '-m', '-s', '/bin/sh', name]).catch(() =>
      runCommand(clock, ['adduser', '-D', '-s', '/bin/sh', name]),
    );

async function findAccount({ passwdFile }: UserTools, name: string): Promise<Account | undefined> {
  const lines = (await readFile(passwdFile, 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid, , home] = lines.find(([each]) => each === name) ?? [];
  return home ? { uid: Number(uid), gid: Number(gid), home } : undefined;
}

/** Writes as the user: in a home directory that the user owns, a symbolic link may point anywhere. */
const writeKeys = ({ clock }: UserTools, { uid, gid, home }: Account, keys: string): Promise<void> =>
  runCommand(clock, ['sh', '-c', 'umask 077; mkdir -p .ssh && cat > .ssh/authorized_keys'], {
    directory: home,
    user: { uid, gid },
    input: keys,
  });

async function allowLogin(tools: UserTools, managed: readonly string[], user: LoginUser): Promise<void> {
  const { name, publicKey } = user;
  if (!validName.test(name)) throw new Error('invalid user name');
  if (!validKey.test(publicKey.trim())) throw new Error('invalid public key: it must be one line');
  const existing = await findAccount(tools, name);
  if (existing && !managed.includes(name)) throw new Error('the account was not created by the agent');
  if (!existing) await tools.add(name);
  const account = await findAccount(tools, name);
  if (!account) throw new Error('the account was not created');
  await writeKeys(tools, account, `${publicKey.trim()}\n`);
}

async function revokeLogin(tools: UserTools, name: string): Promise<void> {
  const account = await findAccount(tools, name);
  if (account) await writeKeys(tools, account, '');
}

/**
 * Allows the desired users to log in, and revokes the login of all other managed users. Changes only accounts that the agent
 * created. Returns their names.
 */
export async function applyUsers(
  tools: UserTools & { log: AgentLog },
  managed: readonly string[],
  desired: readonly LoginUser[],
): Promise<string[]> {
  const names = new Set(managed);
  const attempt = async (name: string, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
      names.add(name);
    } catch (error) {
      tools.log(`user ${name} unchanged: ${reasonOf(error)}`);
    }
  };
  for (const user of desired) await attempt(user.name, () => allowLogin(tools, managed, user));
  for (const name of managed)
    if (!desired.some((user) => user.name === name)) await attempt(name, () => revokeLogin(tools, name));
  return [...names];
}
