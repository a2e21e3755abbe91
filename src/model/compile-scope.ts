import { isVendorAction, namesOfAction, splitVendor } from './actions.ts';
import type { Scope } from './role-scope.ts';
import type { Effect } from './scope-statement.ts';
import { hasWildcard, matchesEverything, type Wildcard, wildcard } from './wildcard.ts';

/** The part of a statement about one action. */
export interface Rule {
  /** Index of the statement in the scope. */
  readonly statement: number;
  readonly effect: Effect;
  readonly owners: readonly string[] | null;
  /** Limits the rule to these vendors; null: any vendor. */
  readonly vendors: readonly Wildcard[] | null;
}

/** The rules about one action, by resource. */
export interface Rules {
  readonly all: readonly Rule[];
  readonly onEverything: readonly Rule[];
  on(resource: string): readonly Rule[];
}

export interface CompiledScope {
  about(action: string): Rules;
}

const add = (rules: Map<string, Rule[]>, key: string, rule: Rule): void => {
  const known = rules.get(key);
  if (known) known.push(rule);
  else rules.set(key, [rule]);
};

/** Lower-cases everything except the id, because users do not always write it so. */
const normalizeResource = (resource: string): string =>
  resource.replace(/^mrn:(?:vendor:[^:]*(?::cred)?|alm:[^:]*)/i, (start) => start.toLowerCase());

const lastSegment = (resource: string): string => resource.slice(resource.lastIndexOf(':') + 1);

/** A pattern without a colon is an id or part of one; it is compared with the last segment of a resource name. */
const wildcardOn = (pattern: string): Wildcard => {
  const matches = wildcard(pattern);
  return pattern.includes(':') ? matches : (resource) => matches(lastSegment(resource));
};

/** Indexes rules, so that a decision reads only those that can apply, however many there are. */
const indexRules = (entries: readonly { rule: Rule; resources: readonly string[] }[]): Rules => {
  const onEverything: Rule[] = [];
  const named = new Map<string, Rule[]>();
  const withWildcard: { matches: Wildcard; rule: Rule }[] = [];
  for (const { rule, resources } of entries)
    for (const pattern of new Set(resources.map(normalizeResource)))
      if (matchesEverything(pattern)) onEverything.push(rule);
      else if (hasWildcard(pattern)) withWildcard.push({ matches: wildcardOn(pattern), rule });
      else add(named, pattern, rule);
  return {
    all: entries.map(({ rule }) => rule),
    onEverything,
    on: (resource) => [
      ...onEverything,
      ...(named.get(resource) ?? []),
      ...(named.get(lastSegment(resource)) ?? []),
      ...withWildcard.filter(({ matches }) => matches(resource)).map(({ rule }) => rule),
    ],
  };
};

/** Tests whether patterns match an action. Caches results, because many statements use the same few patterns. */
const matchesAction = (action: string): Wildcard => {
  const names = namesOfAction(action);
  const known = new Map<string, boolean>();
  return (pattern) => {
    const matches = known.get(pattern) ?? names.some(wildcard(pattern.toLowerCase()));
    known.set(pattern, matches);
    return matches;
  };
};

/** The vendors that patterns limit an action to; null: any vendor. */
const vendorsOf = (patterns: readonly { vendor: string | null }[]): readonly Wildcard[] | null =>
  patterns.some(({ vendor }) => vendor === null)
    ? null
    : patterns.map(({ vendor }) => wildcard(vendor ?? ''));

const rulesAbout = (action: string, { statements }: Scope): Rules => {
  const matches = matchesAction(action);
  const entries = statements.flatMap(({ effect, actions, resources, owners }, statement) => {
    const patterns = actions
      .map(splitVendor)
      .filter(({ name, vendor }) => matches(name) && (vendor === null || isVendorAction(action)));
    if (patterns.length === 0) return [];
    return [{ rule: { statement, effect, owners, vendors: vendorsOf(patterns) }, resources }];
  });
  return indexRules(entries);
};

const compiled = new WeakMap<Scope, CompiledScope>();

/** Prepares a scope for decisions. Computes the rules about an action on first use and caches them. */
export const compileScope = (scope: Scope): CompiledScope => {
  const known = compiled.get(scope);
  if (known) return known;
  const byAction = new Map<string, Rules>();
  const about = (action: string): Rules => {
    const rules = byAction.get(action) ?? rulesAbout(action, scope);
    byAction.set(action, rules);
    return rules;
  };
  const result = { about };
  compiled.set(scope, result);
  return result;
};
