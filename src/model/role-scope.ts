import { findDuplicateMember } from '../basics/json/duplicate-member.ts';
import { findJsonError } from '../basics/json/error.ts';
import { at, type Outcome, type Problem, reject, succeed } from '../basics/problem.ts';
import { findUnreadableText } from '../basics/text/readable-text.ts';
import { syntaxProblem } from '../basics/text-position.ts';
import { actionsOnSecrets, actionsWithOwner, isRepositoryAction } from './actions.ts';
import { callerName, type Effect, readMembers, readStatement, type Statement } from './scope-statement.ts';
import { warningsAbout } from './scope-warnings.ts';

/** The actions a role allows and denies. */
export interface Scope {
  readonly version: string;
  readonly statements: readonly Statement[];
}

export interface ParsedScope {
  scope: Scope;
  /** Sentences about statements that are valid but probably not intended. */
  warnings: string[];
}

/** More than anyone reads; a hostile scope must not produce a response many times its size. */
const maxFindings = 100;

const topMembers = ['version', 'Statement'];

const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date.parse accepts 30 February and turns it into a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

const readVersion = (value: unknown, problems: Problem[]): string => {
  const path = 'version';
  if (value === undefined) problems.push({ path, message: 'is required: a date such as 2017-05-05.' });
  else if (typeof value !== 'string' || !isDate(value))
    problems.push({ path, message: 'must be a date in the form YYYY-MM-DD.' });
  return typeof value === 'string' ? value : '';
};

const readStatements = (value: unknown, problems: Problem[]): Statement[] => {
  const path = 'Statement';
  if (value === undefined) problems.push({ path, message: 'is required.' });
  if (value === undefined) return [];
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const read = entries.map((entry, index) => readStatement(entry, { path: at(path, index), problems }));
  return read.filter((statement) => statement !== null);
};

/** Reads a scope from its parsed JSON. */
export const readScope = (value: unknown): Outcome<ParsedScope> => {
  const problems: Problem[] = [];
  const members = readMembers(value, topMembers, { path: '', problems });
  const version = members && readVersion(members['version'], problems);
  const statements = members && readStatements(members['Statement'], problems);
  if (version === null || statements === null || problems.length > 0)
    return reject(problems.slice(0, maxFindings));
  return succeed({ scope: { version, statements }, warnings: warningsAbout(statements, maxFindings) });
};

/** Parses a scope from the text it is sent and stored as. */
export const parseScope = (text: string): Outcome<ParsedScope> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return reject([jsonProblem(text)]);
  }
  const unreadable = findUnreadableText(value);
  if (unreadable.length > 0) return reject(unreadable);
  const path = findDuplicateMember(text);
  return path === null ? readScope(value) : reject([{ path, message: 'is a duplicate member; remove one.' }]);
};

const jsonProblem = (text: string): Problem => {
  const { offset, message } = findJsonError(text) ?? { offset: 0, message: 'invalid text' };
  return syntaxProblem(text, { language: 'JSON', offset, message });
};

/** A scope in the form users write. */
interface ScopeBody {
  readonly version: string;
  readonly Statement: readonly {
    readonly Effect: Effect;
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
    readonly Condition?: { readonly ownerFilter: { readonly username: readonly string[] } };
  }[];
}

const everything = { Effect: 'Allow', Action: ['*'], Resource: ['*'] } as const;

const readActions = [
  'stack:describeStacks',
  'stack:describeStack',
  'stack:describeContainers',
  'template:describeAlmTemplate',
  'vendor:describeVendors',
  'cred:describeCredentials',
] as const;

/** Users can list all stacks and repositories, and act on their own. */
const ownOnly = {
  Effect: 'Allow',
  Action: actionsWithOwner.filter((action) => action !== 'stack:describeStacks'),
  Resource: ['*'],
  Condition: { ownerFilter: { username: [callerName] } },
} as const;

const deniedToUsers = {
  Effect: 'Deny',
  // Not `user:*`, which includes signing in.
  Action: [
    'role:*',
    'userrole:*',
    'user:describe*',
    'user:create*',
    'user:update*',
    'user:delete*',
    'cred:createCredential',
    'cred:deleteCredential',
  ],
  Resource: ['*'],
} as const;

export interface RoleTemplate {
  readonly id: string;
  readonly name: string;
  readonly scope: ScopeBody;
}

const version = '2017-05-05';
const adminBody: ScopeBody = { version, Statement: [everything] };
const userBody: ScopeBody = { version, Statement: [everything, ownOnly, deniedToUsers] };
const readonlyBody: ScopeBody = {
  version,
  Statement: [{ Effect: 'Allow', Action: readActions, Resource: ['*'] }],
};

export const roleTemplates: readonly RoleTemplate[] = [
  { id: 'admin', name: 'Management Role', scope: adminBody },
  { id: 'user', name: 'User Role', scope: userBody },
  { id: 'readonly', name: 'Read-Only Role', scope: readonlyBody },
];

const builtInScope = (body: ScopeBody): Scope => {
  const read = readScope(body);
  if (!read.ok) throw new Error(`A built-in scope is invalid: ${JSON.stringify(read.problems)}`);
  return read.value.scope;
};

/** Allows every action on every resource. */
export const everythingScope: Scope = builtInScope(adminBody);

/** The scope of users without a role. */
export const defaultUserScope: Scope = builtInScope(userBody);

const userScopeOf = (ownActions: readonly string[]): string =>
  JSON.stringify(
    builtInScope({ version, Statement: [everything, { ...ownOnly, Action: ownActions }, deniedToUsers] }),
  );

const beforeSecrets = ownOnly.Action.filter((action) => !actionsOnSecrets.includes(action));
const beforeLogs = beforeSecrets.filter((action) => action !== 'stack:readLogs');
const beforeRepositories = beforeLogs.filter((action) => !isRepositoryAction(action));

const formerUserScopes: ReadonlySet<string> = new Set(
  [beforeSecrets, beforeLogs, beforeRepositories].map(userScopeOf),
);

/**
 * Roles made from the template "User Role" before there were repositories, logs or secrets would allow those of all users: they get the
 * template of today.
 */
export const upgradedScope = (scope: Scope): Scope =>
  formerUserScopes.has(JSON.stringify(scope)) ? defaultUserScope : scope;
