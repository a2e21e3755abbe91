import { at } from '../basics/problem.ts';
import { actionsMatching, actionsWithOwner, resourceKinds } from './actions.ts';
import type { Statement } from './scope-statement.ts';
import { unknownAction } from './unknown-action.ts';

type Matching = (pattern: string) => readonly string[];

/** Caches results: many statements are about the same few actions. */
const cachedMatching = (): Matching => {
  const known = new Map<string, readonly string[]>();
  return (pattern) => {
    const matching = known.get(pattern) ?? actionsMatching(pattern);
    known.set(pattern, matching);
    return matching;
  };
};

const isKnownKind = (resource: string): boolean => {
  const head = resource.split('*', 1)[0]?.toLowerCase() ?? '';
  return (
    !head.startsWith('mrn:') || resourceKinds.some((kind) => kind.startsWith(head) || head.startsWith(kind))
  );
};

/** A generator, so that a scope with thousands of mistakes costs no more than the warnings shown. */
function* warningsOf(
  { actions, resources, owners }: Statement,
  path: string,
  matching: Matching,
): Generator<string> {
  for (const [index, action] of actions.entries())
    if (matching(action).length === 0) yield `${at(path, 'Action', index)}: ${unknownAction(action)}`;
  for (const [index, resource] of resources.entries())
    if (!isKnownKind(resource))
      yield `${at(path, 'Resource', index)}: unknown kind of resource "${resource.slice(0, 60)}".`;
  if (owners && !actions.flatMap(matching).some((action) => actionsWithOwner.includes(action)))
    yield `${at(path, 'Condition')}: has no effect, because no action in Action applies to a stack or repository with an owner.`;
}

/** Warnings about statements that are valid but probably not what their author intended; at most `max`. */
export const warningsAbout = (statements: readonly Statement[], max: number): string[] => {
  if (statements.length === 0) return ['Statement: is empty, so the role allows nothing.'];
  const warnings: string[] = [];
  const matching = cachedMatching();
  for (const [index, statement] of statements.entries())
    for (const warning of warningsOf(statement, at('Statement', index), matching)) {
      if (warnings.length === max) return warnings;
      warnings.push(warning);
    }
  return warnings;
};
