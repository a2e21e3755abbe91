import { readFile } from 'node:fs/promises';
import type { Clock } from '../../basics/clock.ts';
import { runCommand } from '../command.ts';
import { type AgentLog, reasonOf } from '../log.ts';

export interface UserTools {
  clock: Clock;
  passwdFile: string;
  /** Makes a login user with a home of its own. */
  add(name: string): Promise<void>;
}

export interface LoginUser {
  name: string;
  publicKey: string;
}

interface Account {
  uid: number;
  gid: number;
  home: string;
}

const goodName = /^[a-z][a-z0-9_-]{0,30}$/;
const goodKey = /^(ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/=]+( .*)?$/;

/** Debian, Fedora and Alpine each have one of the two. */
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

/** Written with the user's own rights: in a home that belongs to them, a link may lead anywhere. */
const writeKeys = ({ clock }: UserTools, { uid, gid, home }: Account, keys: string): Promise<void> =>
  runCommand(clock, ['sh', '-c', 'umask 077; mkdir -p .ssh && cat > .ssh/authorized_keys'], {
    directory: home,
    user: { uid, gid },
    input: keys,
  });

async function admit(tools: UserTools, managed: readonly string[], user: LoginUser): Promise<void> {
  const { name, publicKey } = user;
  if (!goodName.test(name)) throw new Error('the name is not one of a login user');
  if (!goodKey.test(publicKey.trim())) throw new Error('the key is not a public key of one line');
  const before = await findAccount(tools, name);
  if (before && !managed.includes(name)) throw new Error('the account belongs to the system');
  if (!before) await tools.add(name);
  const account = await findAccount(tools, name);
  if (!account) throw new Error('the account was not made');
  await writeKeys(tools, account, `${publicKey.trim()}\n`);
}

async function dismiss(tools: UserTools, name: string): Promise<void> {
  const account = await findAccount(tools, name);
  if (account) await writeKeys(tools, account, '');
}

/**
 * Lets the wanted users log in, and no longer those that were wanted before. Only accounts the agent made are touched.
 * Gives their names.
 */
export async function applyUsers(
  tools: UserTools,
  log: AgentLog,
  managed: readonly string[],
  wanted: readonly LoginUser[],
): Promise<string[]> {
  const names = new Set(managed);
  const attempt = async (name: string, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
      names.add(name);
    } catch (error) {
      log(`user ${name} was left as it is: ${reasonOf(error)}`);
    }
  };
  for (const user of wanted) await attempt(user.name, () => admit(tools, managed, user));
  for (const name of managed)
    if (!wanted.some((user) => user.name === name)) await attempt(name, () => dismiss(tools, name));
  return [...names];
}
