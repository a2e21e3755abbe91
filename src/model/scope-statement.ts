import { isObject } from '../basics/is-object.ts';
import { at, type Problem } from '../basics/problem.ts';

export type Effect = 'Allow' | 'Deny';

/** In a condition: whoever is calling. */
export const theCaller = '_SUBUSER_';

export interface Statement {
  readonly effect: Effect;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Only where the resource belongs to one of these; null: whoever it belongs to. */
  readonly owners: readonly string[] | null;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object under the names they should have, however they were capitalized. */
export const readMembers = (
  value: unknown,
  path: string,
  known: readonly string[],
  problems: Problem[],
): Members | null => {
  if (!isObject(value)) {
    problems.push({ path, message: 'must be an object.' });
    return null;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
    // Passing over a misspelt Condition would allow more than its author meant.
    if (meant === undefined)
      problems.push({
        path: at(path, name.slice(0, 60)),
        message: `is not known here; known are ${known.join(', ')}.`,
      });
    return [meant ?? '', member] as const;
  });
  return Object.fromEntries(members);
};

/** Says what is wrong with a text, or null. */
type Trouble = (text: string) => string | null;

const readText = (value: unknown, path: string, problems: Problem[], trouble: Trouble): string => {
  const message = typeof value === 'string' ? trouble(value) : 'must be a text or a list of texts.';
  if (message !== null) problems.push({ path, message });
  return typeof value === 'string' ? value : '';
};

/** One text or a list of them. */
const readTexts = (value: unknown, path: string, problems: Problem[], trouble: Trouble): string[] => {
  if (value === undefined) problems.push({ path, message: 'is required.' });
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [readText(value, path, problems, trouble)];
  if (value.length === 0) problems.push({ path, message: 'must name at least one.' });
  return value.map((entry: unknown, index) => readText(entry, at(path, index), problems, trouble));
};

const actionTrouble = (text: string): string | null =>
  /^\*+$|^[\w.*-]+:[\w.*-]+(::[\w*-]+)?$/.test(text)
    ? null
    : 'must be * or have the form <area>:<operation>, such as stack:describeStack or stack:*.';

const resourceTrouble = (text: string): string | null =>
  /^mrn:\S+$/i.test(text) || /^[^\s:]+$/.test(text)
    ? null
    : 'must be *, an id, or a resource name such as mrn:alm:stack:<stack_id>.';

const nameTrouble = (text: string): string | null => (text === '' ? 'must not be empty.' : null);

const readOwners = (value: unknown, path: string, problems: Problem[]): string[] | null => {
  if (value === undefined) return null;
  const condition = readMembers(value, path, ['ownerFilter'], problems);
  if (!condition) return null;
  const within = at(path, 'ownerFilter');
  const filter = readMembers(condition['ownerFilter'], within, ['username'], problems);
  return filter && readTexts(filter['username'], at(within, 'username'), problems, nameTrouble);
};

const readEffect = (value: unknown, path: string, problems: Problem[]): Effect => {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word !== 'allow' && word !== 'deny') problems.push({ path, message: 'must be Allow or Deny.' });
  return word === 'allow' ? 'Allow' : 'Deny';
};

export const readStatement = (value: unknown, path: string, problems: Problem[]): Statement | null => {
  const before = problems.length;
  const members = readMembers(value, path, ['Effect', 'Action', 'Resource', 'Condition'], problems);
  if (!members) return null;
  const statement = {
    effect: readEffect(members['Effect'], at(path, 'Effect'), problems),
    actions: readTexts(members['Action'], at(path, 'Action'), problems, actionTrouble),
    resources: readTexts(members['Resource'], at(path, 'Resource'), problems, resourceTrouble),
    owners: readOwners(members['Condition'], at(path, 'Condition'), problems),
  };
  return problems.length > before ? null : statement;
};
