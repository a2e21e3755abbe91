import { isOfOneVendor, namesOfAction, splitVendor } from './actions.ts';
import type { Scope } from './role-scope.ts';
import type { Effect } from './scope-statement.ts';
import { fitsEverything, hasWildcard, type Wildcard, wildcard } from './wildcard.ts';

/** What a statement says about one action. */
export interface Rule {
  /** Which statement of the scope, counted from 0. */
  readonly statement: number;
  readonly effect: Effect;
  readonly owners: readonly string[] | null;
  /** Only where the vendor is one of these; null: whichever it is. */
  readonly vendors: readonly Wildcard[] | null;
}

/** The rules about one action, by the resources they are about. */
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

/** All of a name but its id is written in lower case; people do not always do so. */
const asNamed = (resource: string): string =>
  resource.replace(/^mrn:(?:vendor:[^:]*(?::cred)?|alm:[^:]*)/i, (start) => start.toLowerCase());

const lastSegment = (resource: string): string => resource.slice(resource.lastIndexOf(':') + 1);

/** A pattern with no colon is an id (or a part of one); it is compared with the end of a resource's name. */
const wildcardOn = (pattern: string): Wildcard => {
  const fits = wildcard(pattern);
  return pattern.includes(':') ? fits : (resource) => fits(lastSegment(resource));
};

/** Sorted so that a decision looks only at rules that can matter to it, however many there are. */
const sortRules = (entries: readonly { rule: Rule; resources: readonly string[] }[]): Rules => {
  const onEverything: Rule[] = [];
  const named = new Map<string, Rule[]>();
  const withWildcard: { fits: Wildcard; rule: Rule }[] = [];
  for (const { rule, resources } of entries)
    for (const pattern of new Set(resources.map(asNamed)))
      if (fitsEverything(pattern)) onEverything.push(rule);
      else if (hasWildcard(pattern)) withWildcard.push({ fits: wildcardOn(pattern), rule });
      else add(named, pattern, rule);
  return {
    all: entries.map(({ rule }) => rule),
    onEverything,
    on: (resource) => [
      ...onEverything,
      ...(named.get(resource) ?? []),
      ...(named.get(lastSegment(resource)) ?? []),
      ...withWildcard.filter(({ fits }) => fits(resource)).map(({ rule }) => rule),
    ],
  };
};

/** Whether a pattern is about an action. Many statements are about the same few, so each is worked out once. */
const fitsAction = (action: string): Wildcard => {
  const names = namesOfAction(action);
  const known = new Map<string, boolean>();
  return (pattern) => {
    const fits = known.get(pattern) ?? names.some(wildcard(pattern.toLowerCase()));
    known.set(pattern, fits);
    return fits;
  };
};

/** The vendors to which patterns about an action limit it; null: none of them does. */
const vendorsNamed = (patterns: readonly { vendor: string | null }[]): readonly Wildcard[] | null =>
  patterns.some(({ vendor }) => vendor === null)
    ? null
    : patterns.map(({ vendor }) => wildcard(vendor ?? ''));

const rulesAbout = (action: string, { statements }: Scope): Rules => {
  const fits = fitsAction(action);
  const entries = statements.flatMap(({ effect, actions, resources, owners }, statement) => {
    const patterns = actions
      .map(splitVendor)
      .filter(({ name, vendor }) => fits(name) && (vendor === null || isOfOneVendor(action)));
    if (patterns.length === 0) return [];
    return [{ rule: { statement, effect, owners, vendors: vendorsNamed(patterns) }, resources }];
  });
  return sortRules(entries);
};

const compiled = new WeakMap<Scope, CompiledScope>();

/** Prepares a scope for decisions: the rules about an action are worked out when it is first asked about, then kept. */
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
