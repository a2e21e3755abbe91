import { type CliError, usageError } from '../cli-error.ts';

/** Instance to run a script on. */
export interface ExecTarget {
  /** The target as given on the command line. */
  text: string;
  stackId: string;
  user?: string;
  ip?: string;
  flag?: string;
}

const invalidTarget = (text: string, reason: string): CliError =>
  usageError(
    `Invalid --target "${text}": ${reason}.`,
    'Format: <stack id>|<user>@<ip>:<layer>',
    'Parts that are unambiguous may be omitted: <stack id>, <stack id>|<ip>, <stack id>|:<layer>',
    'Quote the target because of the |, and put an IPv6 address in brackets.',
  );

/** `user@`, an address and `:layer`; each of them is optional. */
const instancePattern = /^(?:([^\s@:[\]]+)@)?(\[[0-9A-Fa-f:.%]+\]|[^\s@:[\]]*)(?::([^\s@:[\]]*))?$/;

/** Parses strictly: a likely mistake, such as an address that is empty because a variable was, is an error. */
export function parseTarget(text: string): ExecTarget {
  const [stackId = '', instance, ...rest] = text.split('|');
  if (!/^[^\s@:]+$/.test(stackId)) throw invalidTarget(text, 'the stack id is missing');
  if (instance === undefined) return { text, stackId };
  const match = rest.length === 0 ? instancePattern.exec(instance) : null;
  if (!match) throw invalidTarget(text, 'the instance is not valid');
  const [, user, address = '', flag] = match;
  const ip = address.replace(/^\[|\]$/g, '');
  if (ip === '' && !flag) throw invalidTarget(text, 'an address or a layer is required');
  return { text, stackId, ...(user ? { user } : {}), ...(ip ? { ip } : {}), ...(flag ? { flag } : {}) };
}
