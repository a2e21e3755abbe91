import { Failure, type FailureKind } from '../../basics/failure.ts';
import type { Problem } from '../../basics/problem.ts';

/** Throws a failure. Its message contains the first problem, because many clients show nothing else; `problems` has all. */
export function refuseDocument(problems: readonly Problem[], kind: FailureKind = 'invalid_template'): never {
  const [first] = problems;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = first?.path ? `${first.path}: ` : '';
  throw new Failure(kind, `${where}${first?.message ?? 'is invalid'}${rest}`, {
    description:
      kind === 'invalid_template'
        ? 'The document was not accepted; nothing was changed.'
        : 'The request was not accepted; nothing was changed.',
    problems,
  });
}
