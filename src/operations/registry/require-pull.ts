import { Failure } from '../../basics/failure.ts';
import type { StackModel } from '../../model/stack-model.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta } from '../../store/database/meta.ts';
import { findPublicRepositories } from '../../store/registry/public-repositories.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { mayOnRepository } from './rights.ts';
import { repositoriesIn, repositoriesOfStack } from './stack-images.ts';

interface SubmittedImages {
  actor: Actor;
  model: StackModel;
  /** The stack as it is, if it exists: its agents may pull its images already. */
  stack?: StackRow;
}

const notAllowed = (repository: string): Failure =>
  new Failure('forbidden', `You are not allowed to pull ${repository} from the registry`, {
    description:
      `The agents of a stack pull the images that its document names, so the user who submits it must be allowed to pull them. Ask for a role with registry:pull on mrn:registry:${repository}, ` +
      'or give the container a user of the registry.',
  });

/** Refuses a sender who may not pull from one of these repositories. Returns those that are public only: they may become private. */
export async function requirePullFrom(
  query: Query,
  actor: Actor,
  repositories: readonly string[],
): Promise<ReadonlySet<string>> {
  const firstAccountId = (await readMeta(query, 'first_account')) ?? '';
  const others = repositories.filter(
    (repository) => !mayOnRepository(actor, { action: 'pull', repository, firstAccountId }),
  );
  const open = await findPublicRepositories(query, others);
  const refused = others.find((repository) => !open.has(repository));
  if (refused !== undefined) throw notAllowed(refused);
  return open;
}

/**
 * Refuses a document with images that its sender may not pull: the agents could read them out for the sender. Returns the repositories
 * that its agents may pull from; public ones are not among them, because they may become private.
 */
export async function requirePull(
  service: Service,
  query: Query,
  { actor, model, stack }: SubmittedImages,
): Promise<string[]> {
  const reader = { database: { query }, settings: service.settings, clock: service.clock };
  const named = await repositoriesIn(reader, [model]);
  if (named.size === 0) return [];
  const firstAccountId = (await readMeta(query, 'first_account')) ?? '';
  const known = stack ? await repositoriesOfStack(reader, stack.id, firstAccountId) : new Set<string>();
  const open = await requirePullFrom(
    query,
    actor,
    [...named].filter((repository) => !known.has(repository)),
  );
  return [...named].filter((repository) => !open.has(repository));
}
