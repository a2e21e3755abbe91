import { at } from '../basics/problem.ts';
import { actionsFitting, actionsOnOwnedStacks, resourceKinds } from './actions.ts';
import type { Statement } from './scope-statement.ts';
import { unknownAction } from './unknown-action.ts';

type Fitting = (pattern: string) => readonly string[];

/** Many statements are about the same few actions. */
const rememberFitting = (): Fitting => {
  const known = new Map<string, readonly string[]>();
  return (pattern) => {
    const fitting = known.get(pattern) ?? actionsFitting(pattern);
    known.set(pattern, fitting);
    return fitting;
  };
};

const isKnownKind = (resource: string): boolean => {
  const head = resource.split('*', 1)[0]?.toLowerCase() ?? '';
  return (
    !head.startsWith('mrn:') || resourceKinds.some((kind) => kind.startsWith(head) || head.startsWith(kind))
  );
};

const warningsOf = ({ actions, resources, owners }: Statement, path: string, fitting: Fitting): string[] => {
  const unknownActions = actions.map((text, index) =>
    fitting(text).length === 0 ? `${at(path, 'Action', index)}: ${unknownAction(text)}` : '',
  );
  const unknownKinds = resources.map((text, index) =>
    isKnownKind(text)
      ? ''
      : `${at(path, 'Resource', index)}: "${text.slice(0, 60)}" names nothing this service has.`,
  );
  const idle = owners && !actions.flatMap(fitting).some((action) => actionsOnOwnedStacks.includes(action));
  const condition = idle
    ? `${at(path, 'Condition')}: nothing in Action is done to a stack with an owner.`
    : '';
  return [...unknownActions, ...unknownKinds, condition].filter((warning) => warning !== '');
};

/** What is well-formed and yet probably not what its author meant; the first so many sentences. */
export const warningsAbout = (statements: readonly Statement[], most: number): string[] => {
  if (statements.length === 0) return ['Statement: is empty, so the role allows nothing.'];
  const warnings: string[] = [];
  const fitting = rememberFitting();
  for (const [index, statement] of statements.entries()) {
    if (warnings.length >= most) break;
    warnings.push(...warningsOf(statement, at('Statement', index), fitting).slice(0, most));
  }
  return warnings.slice(0, most);
};
