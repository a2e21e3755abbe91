import { Failure } from '../../basics/failure.ts';
import { exceededLimit } from '../../basics/json/text.ts';

/** More than any known request. The depth is shallow enough to walk the value by plain recursion. */
const limits = { depth: 64, values: 10_000 };

/** Checks the text before it is parsed: a value that is too deep or too large is never built. */
export function refuseExcessiveJson(text: string): void {
  const exceeded = exceededLimit(text, limits);
  if (exceeded === 'depth')
    throw new Failure('invalid_request', `The request body is nested more than ${limits.depth} levels deep`);
  if (exceeded === 'values')
    throw new Failure('too_large', `The request body has more than ${limits.values} values`, {
      description: 'Send fewer members and list entries.',
    });
}
