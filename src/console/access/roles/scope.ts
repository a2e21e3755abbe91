/**
 * The scope of a role as the form shows it. The text is the only draft: the form reads it and writes changes into it, so
 * that switching between form and JSON loses nothing, not even what the form does not show.
 */
export interface StatementView {
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  /** Users whose stacks the statement is about; null: everyone's. */
  owners: string[] | null;
}

/** A statement that the form cannot show, as JSON: it stays as it is. */
interface OtherStatement {
  json: string;
}

export type ReadScope = { statements: (StatementView | OtherStatement)[] } | { problem: string };

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The service reads names of members whatever their case. */
const nameIn = (object: Json, name: string): string =>
  Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;

const member = (object: Json, name: string): unknown => object[nameIn(object, name)];

const textsOf = (value: unknown): string[] | null => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  return null;
};

function ownersOf(statement: Json): string[] | null | undefined {
  const condition = member(statement, 'Condition');
  if (condition === undefined) return null;
  const filter = isObject(condition) ? member(condition, 'ownerFilter') : undefined;
  return (isObject(filter) ? textsOf(member(filter, 'username')) : null) ?? undefined;
}

function viewOf(statement: unknown): StatementView | null {
  if (!isObject(statement)) return null;
  const effect = String(member(statement, 'Effect')).toLowerCase();
  const actions = textsOf(member(statement, 'Action'));
  const resources = textsOf(member(statement, 'Resource'));
  const owners = ownersOf(statement);
  if (!actions || !resources || owners === undefined || !/^(allow|deny)$/.test(effect)) return null;
  return { effect: effect === 'allow' ? 'Allow' : 'Deny', actions, resources, owners };
}

interface Opened {
  scope: Json;
  statements: unknown[];
}

function openScope(text: string): Opened {
  const scope: unknown = JSON.parse(text);
  if (!isObject(scope)) throw new SyntaxError('The scope must be an object with Version and Statement.');
  const statements = member(scope, 'Statement') ?? [];
  return { scope, statements: Array.isArray(statements) ? [...statements] : [statements] };
}

const written = ({ scope, statements }: Opened): string =>
  JSON.stringify({ ...scope, [nameIn(scope, 'Statement')]: statements }, null, 2);

export function readScope(text: string): ReadScope {
  try {
    const { statements } = openScope(text);
    return {
      statements: statements.map((each) => viewOf(each) ?? { json: JSON.stringify(each, null, 2) }),
    };
  } catch (error) {
    return { problem: `The text is not readable as JSON. ${error instanceof Error ? error.message : ''}` };
  }
}

/** What a statement lacks that someone has just added; null: the service can decide by the scope. */
export function missingIn(text: string): string | null {
  const read = readScope(text);
  if ('problem' in read) return null;
  for (const [number, statement] of read.statements.entries()) {
    if ('json' in statement) continue;
    if (statement.actions.length === 0) return `Statement ${number} has no action yet.`;
    if (statement.resources.length === 0) return `Statement ${number} has no resource yet.`;
  }
  return null;
}

const conditionOf = (owners: readonly string[]): Json => ({ ownerFilter: { username: owners } });

/** The text with members of one statement changed; all others stay as they were. */
export function changeStatement(text: string, index: number, change: Partial<StatementView>): string {
  const opened = openScope(text);
  const statement = opened.statements[index];
  if (!isObject(statement)) return text;
  const names = { effect: 'Effect', actions: 'Action', resources: 'Resource', owners: 'Condition' } as const;
  const changed: Json = { ...statement };
  for (const key of Object.keys(change) as (keyof StatementView)[]) {
    const name = nameIn(statement, names[key]);
    if (key !== 'owners') changed[name] = change[key];
    else if (change.owners) changed[name] = conditionOf(change.owners);
    else delete changed[name];
  }
  opened.statements[index] = changed;
  return written(opened);
}

export function addStatement(text: string, effect: StatementView['effect']): string {
  const opened = openScope(text);
  opened.statements.push({ Effect: effect, Action: [], Resource: ['*'] });
  return written(opened);
}

export function removeStatement(text: string, index: number): string {
  const opened = openScope(text);
  return written({ ...opened, statements: opened.statements.filter((_, each) => each !== index) });
}

/**
 * One scope that decides as all these roles together do: the statements of all roles count, in any order. The statements of
 * the draft come first and keep their numbers.
 */
export function withOtherRoles(draft: string, others: readonly string[]): string {
  const opened = openScope(draft);
  const rest = others.flatMap((text) => openScope(text).statements);
  return written({ ...opened, statements: [...opened.statements, ...rest] });
}

export const countStatements = (text: string): number => openScope(text).statements.length;

export const emptyScope = JSON.stringify({ Version: '2017-05-05', Statement: [] }, null, 2);

/** The stored text in a form to read; text that is not JSON stays as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
