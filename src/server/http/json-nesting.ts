import { Failure } from '../../basics/failure.ts';
import { isNestedDeeperThan } from '../../basics/json-text.ts';

/** Deeper than any known request, shallow enough to walk the value by plain recursion. */
const maxDepth = 64;

/** Checks the text before it is parsed: a value nested too deeply is never built. */
export function refuseDeepNesting(text: string): void {
  if (isNestedDeeperThan(text, maxDepth))
    throw new Failure('invalid_request', `The request body is nested more than ${maxDepth} levels deep`);
}
