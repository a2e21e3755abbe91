import { Failure } from '../../basics/failure.ts';
import { type NamedAccountUser, namespaceOfUser } from '../../model/registry/repository-name.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta } from '../../store/database/meta.ts';
import { findRepositoryBelow } from '../../store/registry/repositories.ts';

/** Repositories stay when their user is deleted: the next user of that name would own the images of another person. */
export async function refuseKeptRepositories(
  query: Query,
  user: NamedAccountUser,
  advice: string,
): Promise<void> {
  const namespace = namespaceOfUser(user, (await readMeta(query, 'first_account')) ?? '');
  const kept = namespace !== null && (await findRepositoryBelow(query, user.accountId, namespace));
  if (!kept) return;
  const message = `The registry has images below ${namespace}/, such as ${kept.name}, which user ${user.username} would own`;
  throw new Failure('conflict', message, { description: advice });
}
