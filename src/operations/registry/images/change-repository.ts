import { notFound } from '../../../basics/failure.ts';
import { ownerOf } from '../../../model/registry/repository-name.ts';
import type { Query } from '../../../store/database/database.ts';
import { changeRepository, findRepository, saveRepository } from '../../../store/registry/repositories.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import type { RepositoryAction } from '../scopes.ts';
import { firstAccountOf, readImageId, requireOnRepository } from './find-repository.ts';
import { openRegistry } from './open-registry.ts';

interface Change {
  imageId: string;
  needed: readonly RepositoryAction[];
  change: { description: string } | { visibility: 'private' | 'public' };
}

/** A repository that was pushed before its announcement arrived is not in the index yet. */
async function requireKnown(service: Service, repository: string): Promise<void> {
  const { query } = service.database;
  if (await findRepository(query, repository)) return;
  const tags = await (await openRegistry(service)).tags(repository);
  if (tags.length === 0) throw notFound('Repository', repository);
  const now = service.clock.now();
  const accountId = ownerOf(repository, await firstAccountOf(service));
  await saveRepository(query, { name: repository, accountId, now });
}

async function write(service: Service, actor: Actor, { imageId, needed, change }: Change): Promise<string> {
  const { repository } = readImageId(imageId);
  await requireOnRepository(service, actor, { repository, actions: needed });
  await requireKnown(service, repository);
  const save = (query: Query) =>
    changeRepository(query, repository, { ...change, updated_at: service.clock.now() });
  await service.database.transaction(save);
  return repository;
}

export const setDescription = (
  service: Service,
  actor: Actor,
  { imageId, description }: { imageId: string; description: string },
): Promise<string> => write(service, actor, { imageId, needed: ['push'], change: { description } });

/** Publishing needs all rights on the repository: who may only push must not show its content to everybody. */
export const setVisibility = (
  service: Service,
  actor: Actor,
  { imageId, visibility }: { imageId: string; visibility: 'private' | 'public' },
): Promise<string> => write(service, actor, { imageId, needed: ['push', 'delete'], change: { visibility } });
