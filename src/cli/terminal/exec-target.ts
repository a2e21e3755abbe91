import { type CliError, usageError } from '../cli-error.ts';

/** One instance a script is to run on, as it was written and as it is meant. */
export interface ExecTarget {
  text: string;
  stackId: string;
  user?: string;
  ip?: string;
  flag?: string;
}

const wrongTarget = (text: string, why: string): CliError =>
  usageError(
    `--target "${text}" ${why}.`,
    'The whole form: <stack id>|<user>@<ip>:<layer>',
    'What is clear without may be left out: <stack id>, <stack id>|<ip>, <stack id>|:<layer>',
    'In quotes, because of the |, and an IPv6 address in brackets.',
  );

/** A user with an @ after it, an address, a layer with a : before it; any of them may be missing. */
const place = /^(?:([^\s@:[\]]+)@)?(\[[0-9A-Fa-f:.%]+\]|[^\s@:[\]]*)(?::([^\s@:[\]]*))?$/;

/** Strict: what looks like a slip, such as an address that is empty because a variable was, is no target. */
export function readTarget(text: string): ExecTarget {
  const [stackId = '', where, ...rest] = text.split('|');
  if (!/^[^\s@:]+$/.test(stackId)) throw wrongTarget(text, 'names no stack');
  if (where === undefined) return { text, stackId };
  const found = rest.length === 0 ? place.exec(where) : null;
  if (!found) throw wrongTarget(text, 'is not understood');
  const [, user, written = '', flag] = found;
  const ip = written.replace(/^\[|\]$/g, '');
  if (ip === '' && !flag) throw wrongTarget(text, 'names neither an address nor a layer');
  return { text, stackId, ...(user ? { user } : {}), ...(ip ? { ip } : {}), ...(flag ? { flag } : {}) };
}
