import { Failure, type FailureKind } from '../../basics/failure.ts';
import type { Problem } from '../../basics/problem.ts';
import type { Compiled } from '../../languages/language.ts';

/** Like `refuseDocument`, for problems that a vendor found in the model: their paths become paths of the document. */
export const refuseModel = ({ locate }: Pick<Compiled, 'locate'>, problems: readonly Problem[]): never =>
  refuseDocument(problems.map(({ path, message }) => ({ path: locate(path), message })));

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
