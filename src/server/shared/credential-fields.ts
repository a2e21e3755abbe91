import { entryOf } from '../../basics/entry-of.ts';
import { Failure } from '../../basics/failure.ts';
import { isObject } from '../../basics/is-object.ts';
import type { Problem } from '../../basics/problem.ts';
import { Secret } from '../../basics/secret.ts';
import { credentialPrefixes, roleFormatOf } from '../../contract/credentials.ts';

interface CredentialFields {
  id: string;
  secret: Secret;
  account: string;
  /** Role the vendor uses to manage stacks, instead of the permissions of the key. */
  role: string | null;
  /** The cloud, where the vendor has several. */
  cloud: { authUrl: string | null; path: string };
}

type Members = ReadonlyMap<string, unknown>;

/**
 * Parses a vendor key in any format clients send: an object or its JSON string, wrapped in another object or not, with
 * or without the vendor prefix in member names. Errors never quote the input, because it may be the secret.
 */
export function readCredentialFields(vendor: string, input: unknown): CredentialFields {
  const prefixes = [...(entryOf(credentialPrefixes, vendor) ?? [vendor]), ''];
  const members = membersOf(input);
  const found = findPair(members, prefixes);
  const path = (name: string) => `credentials/${prefixes[0]}${name}`;
  const id = lineIn(found.id, path('AccessKeyId'));
  const secret = textIn(found.secret, path('SecretKey'));
  // The account name defaults to the key id.
  const account = found.account === undefined ? id : lineIn(found.account, path('AccountName'));
  const role = found.role === undefined ? notGiven : check(found.role, path('RoleArn'), roleFormatOf(vendor));
  const authUrl = found.authUrl === undefined ? notGiven : textIn(found.authUrl, path('AuthUrl'));
  const problems = [...new Set([id, secret, account, role, authUrl])].flatMap((each) => each.problems);
  if (problems.length > 0)
    throw new Failure('invalid_request', problems.map(({ message }) => message).join('; '), {
      problems,
    });
  return {
    id: id.value,
    secret: new Secret(secret.value),
    account: account.value,
    role: role.value || null,
    cloud: { authUrl: authUrl.value || null, path: path('AuthUrl') },
  };
}

const simplified = (name: string): string => name.toLowerCase().replaceAll('_', '');

function membersOf(input: unknown, wrappers = 3): Members {
  const value = typeof input === 'string' ? parse(input) : input;
  if (!isObject(value))
    throw new Failure('invalid_request', 'credentials must be an object or its JSON string');
  const members = new Map(Object.entries(value).map(([name, each]) => [simplified(name), each]));
  const inner: unknown = members.get('credentials');
  return inner !== undefined && wrappers > 0 ? membersOf(inner, wrappers - 1) : members;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the parser would quote the input.
    return undefined;
  }
}

function findPair(members: Members, prefixes: readonly string[]) {
  const find = (...names: readonly string[]): unknown =>
    prefixes
      .flatMap((prefix) => names.map((name) => members.get(simplified(prefix + name))))
      .find((value) => value !== undefined && value !== '');
  const account = find('AccountName', 'Account');
  const others = { account, role: find('RoleArn'), authUrl: find('AuthUrl') };
  // One existing client swaps key id and secret, under its own member names.
  const swapped = find('AccessKeyId') === undefined ? find('SecretKeyId') : undefined;
  return swapped === undefined
    ? { id: find('AccessKeyId'), secret: find('SecretKey', 'SecretAccessKey'), ...others }
    : { id: find('SecretKey'), secret: swapped, ...others };
}

interface Checked {
  value: string;
  problems: Problem[];
}

interface Format {
  pattern: RegExp;
  /** Completes "must be …". */
  description: string;
}

const oneLine: Format = {
  pattern: /^\P{C}{1,128}$/u,
  description: 'one line of text, at most 128 characters',
};
const secretText: Format = {
  pattern: /^[^\0\p{Cs}]{1,16384}$/u,
  description: 'text, at most 16384 characters',
};

const check = (value: unknown, path: string, { pattern, description }: Format): Checked => {
  if (value === undefined) return { value: '', problems: [{ path, message: `${path} not specified` }] };
  const text = typeof value === 'string' ? value : '';
  return pattern.test(text)
    ? { value: text, problems: [] }
    : { value: '', problems: [{ path, message: `${path} must be ${description}` }] };
};

const lineIn = (value: unknown, path: string): Checked =>
  check(typeof value === 'string' ? value.trim() : value, path, oneLine);

const notGiven: Checked = { value: '', problems: [] };

const textIn = (value: unknown, path: string): Checked => check(value, path, secretText);
