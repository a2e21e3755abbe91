import { Failure } from '../../basics/failure.ts';
import { isObject } from '../../basics/is-object.ts';
import type { Problem } from '../../basics/problem.ts';
import { Secret } from '../../basics/secret.ts';

/** What stands before a vendor's member names. The first is the one we ask for. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  aws: ['AWS'],
  alicloud: ['AliCloud'],
  openstack: ['OpenStack'],
  sbcloud: ['SBCloud'],
  k5: ['K5Cloud', 'K5'],
  docker: ['Docker'],
  // The interface's examples are about one vendor; the sandbox takes its words as well.
  sandbox: ['Sandbox', 'AWS'],
};

export interface ReadKey {
  id: string;
  secret: Secret;
  account: string;
  /** What the vendor makes stacks with, instead of with the key's own rights. */
  role: string | null;
}

type Members = ReadonlyMap<string, unknown>;

/**
 * A vendor's key as any client sends it: an object or its JSON text, wrapped once more or not, its members with the
 * vendor's short name or without. Nothing a caller sent is quoted in an error: it may be the secret.
 */
export function readCredentialFields(vendor: string, sent: unknown): ReadKey {
  const prefix = [...(prefixes[vendor] ?? [vendor]), ''];
  const members = membersOf(sent);
  const found = findPair(members, prefix);
  const path = (name: string) => `credentials/${prefix[0]}${name}`;
  const id = lineIn(found.id, path('AccessKeyId'));
  const secret = textIn(found.secret, path('SecretKey'));
  // Unnamed, the account goes by its key.
  const account = found.account === undefined ? id : lineIn(found.account, path('AccountName'));
  const role = found.role === undefined ? noRole : roleIn(found.role, path('RoleArn'));
  const problems = [...new Set([id, secret, account, role])].flatMap((each) => each.problems);
  if (problems.length > 0)
    throw new Failure('invalid_request', problems.map(({ message }) => message).join('; '), {
      problems,
    });
  return {
    id: id.value,
    secret: new Secret(secret.value),
    account: account.value,
    role: role.value || null,
  };
}

const simplified = (name: string): string => name.toLowerCase().replaceAll('_', '');

function membersOf(sent: unknown, wrappers = 3): Members {
  const value = typeof sent === 'string' ? parse(sent) : sent;
  if (!isObject(value))
    throw new Failure('invalid_request', 'credentials must be an object, or the JSON text of one');
  const members = new Map(Object.entries(value).map(([name, each]) => [simplified(name), each]));
  const inner: unknown = members.get('credentials');
  return inner !== undefined && wrappers > 0 ? membersOf(inner, wrappers - 1) : members;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words would quote what was sent.
    return undefined;
  }
}

function findPair(members: Members, prefix: readonly string[]) {
  const find = (...names: readonly string[]): unknown =>
    prefix
      .flatMap((each) => names.map((name) => members.get(simplified(each + name))))
      .find((value) => value !== undefined && value !== '');
  const account = find('AccountName', 'Account');
  const role = find('RoleArn');
  // One existing client has the two the wrong way round, under names of its own.
  const swapped = find('AccessKeyId') === undefined ? find('SecretKeyId') : undefined;
  return swapped === undefined
    ? { id: find('AccessKeyId'), secret: find('SecretKey', 'SecretAccessKey'), account, role }
    : { id: find('SecretKey'), secret: swapped, account, role };
}

interface Checked {
  value: string;
  problems: Problem[];
}

const check = (value: unknown, path: string, fits: RegExp, form: string): Checked => {
  if (value === undefined) return { value: '', problems: [{ path, message: `${path} not specified` }] };
  const text = typeof value === 'string' ? value : '';
  return fits.test(text)
    ? { value: text, problems: [] }
    : { value: '', problems: [{ path, message: `${path} must be ${form}` }] };
};

const lineIn = (value: unknown, path: string): Checked =>
  check(
    typeof value === 'string' ? value.trim() : value,
    path,
    /^\P{C}{1,128}$/u,
    'one line of text, at most 128 characters',
  );

const noRole: Checked = { value: '', problems: [] };

const roleIn = (value: unknown, path: string): Checked =>
  check(
    value,
    path,
    /^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
    'the ARN of a role, such as arn:aws:iam::123456789012:role/almanac-cloudformation',
  );

const textIn = (value: unknown, path: string): Checked =>
  check(value, path, /^[^]{1,16384}$/, 'text, at most 16384 characters');
