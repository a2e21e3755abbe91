import { isObject } from '../basics/is-object.ts';
import { at, type Problem } from '../basics/problem.ts';

export type Effect = 'Allow' | 'Deny';

/** Stands for the calling user in a condition. */
export const callerName = '_SUBUSER_';

export interface Statement {
  readonly effect: Effect;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Limits the statement to resources of these owners; null: any owner. */
  readonly owners: readonly string[] | null;
}

type Members = Readonly<Record<string, unknown>>;

/** A place in a scope, and the list for problems there. */
export interface ScopeLocation {
  path: string;
  problems: Problem[];
}

/** Reads the members of an object under their canonical names; case does not matter. */
export const readMembers = (
  value: unknown,
  known: readonly string[],
  { path, problems }: ScopeLocation,
): Members | null => {
  if (!isObject(value)) {
    problems.push({ path, message: 'must be an object.' });
    return null;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const canonical = known.find((each) => each.toLowerCase() === name.toLowerCase());
    // Ignoring a misspelled Condition would allow more than its author intended.
    if (canonical === undefined)
      problems.push({
        path: at(path, name.slice(0, 60)),
        message: `is an unknown member; known members: ${known.join(', ')}.`,
      });
    return [canonical ?? '', member] as const;
  });
  return Object.fromEntries(members);
};

/** Returns what is wrong with a text, or null. */
type Check = (text: string) => string | null;

const readText = (value: unknown, check: Check, { path, problems }: ScopeLocation): string => {
  const message = typeof value === 'string' ? check(value) : 'must be a string or a list of strings.';
  if (message !== null) problems.push({ path, message });
  return typeof value === 'string' ? value : '';
};

/** Reads one string or a list of strings. */
const readTexts = (value: unknown, check: Check, location: ScopeLocation): string[] => {
  const { path, problems } = location;
  if (value === undefined) problems.push({ path, message: 'is required.' });
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [readText(value, check, location)];
  if (value.length === 0) problems.push({ path, message: 'must have at least one entry.' });
  return value.map((entry: unknown, index) => readText(entry, check, { path: at(path, index), problems }));
};

const actionProblem: Check = (text) =>
  /^\*+$|^[\w.*-]+:[\w.*-]+(::[\w*-]+)?$/.test(text)
    ? null
    : 'must be * or have the form <area>:<operation>, such as stack:describeStack or stack:*.';

const resourceProblem: Check = (text) =>
  /^mrn:\S+$/i.test(text) || /^[^\s:]+$/.test(text)
    ? null
    : 'must be *, an id, or a resource name such as mrn:alm:stack:<stack_id>.';

const nameProblem: Check = (text) => (text === '' ? 'must not be empty.' : null);

const readOwners = (value: unknown, { path, problems }: ScopeLocation): string[] | null => {
  if (value === undefined) return null;
  const condition = readMembers(value, ['ownerFilter'], { path, problems });
  if (!condition) return null;
  const inFilter = { path: at(path, 'ownerFilter'), problems };
  const filter = readMembers(condition['ownerFilter'], ['username'], inFilter);
  return (
    filter && readTexts(filter['username'], nameProblem, { path: at(inFilter.path, 'username'), problems })
  );
};

const readEffect = (value: unknown, { path, problems }: ScopeLocation): Effect => {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word !== 'allow' && word !== 'deny') problems.push({ path, message: 'must be Allow or Deny.' });
  return word === 'allow' ? 'Allow' : 'Deny';
};

export const readStatement = (value: unknown, location: ScopeLocation): Statement | null => {
  const { path, problems } = location;
  const problemsBefore = problems.length;
  const members = readMembers(value, ['Effect', 'Action', 'Resource', 'Condition'], location);
  if (!members) return null;
  const below = (name: string): ScopeLocation => ({ path: at(path, name), problems });
  const statement = {
    effect: readEffect(members['Effect'], below('Effect')),
    actions: readTexts(members['Action'], actionProblem, below('Action')),
    resources: readTexts(members['Resource'], resourceProblem, below('Resource')),
    owners: readOwners(members['Condition'], below('Condition')),
  };
  return problems.length > problemsBefore ? null : statement;
};
