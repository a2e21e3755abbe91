import type { Condition } from './scopes.ts';

type OneOrMore = string | readonly string[];

export interface PolicyStatement {
  Sid: string;
  Effect: 'Allow';
  Action: OneOrMore;
  Resource: OneOrMore;
  Condition?: Condition;
}

export interface Policy<Statement = PolicyStatement> {
  Version: '2012-10-17';
  Statement: readonly Statement[];
}

export const policyOf = <Statement>(statements: readonly Statement[]): Policy<Statement> => ({
  Version: '2012-10-17',
  Statement: statements,
});

interface StatementParts {
  sid: string;
  actions: readonly string[];
  resources: readonly string[];
  condition?: Condition | undefined;
}

const oneOrMore = (values: readonly string[]): OneOrMore =>
  values.length === 1 ? (values[0] ?? '') : values;

export const allow = ({ sid, actions, resources, condition }: StatementParts): PolicyStatement => ({
  Sid: sid,
  Effect: 'Allow',
  Action: oneOrMore([...new Set(actions)].toSorted()),
  Resource: oneOrMore(resources),
  ...(condition ? { Condition: condition } : {}),
});

/** Whether an action with a `*` at its end contains another one. */
const contains = (pattern: string, action: string): boolean =>
  pattern.endsWith('*') && pattern !== action && action.startsWith(pattern.slice(0, -1));

export const isContained = (action: string, patterns: Iterable<string>): boolean =>
  [...patterns].some((pattern) => contains(pattern, action));
