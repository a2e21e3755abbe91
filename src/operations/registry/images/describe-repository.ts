import { notFound } from '../../../basics/failure.ts';
import { isRepositoryName } from '../../../model/registry/repository-name.ts';
import { findRepository } from '../../../store/registry/repositories.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import type { RepositoryAction } from '../scopes.ts';
import { actionsOn, readImageId, requireOnRepository } from './find-repository.ts';
import { type ListedRepository, withImages } from './list-repositories.ts';
import { openRegistry } from './open-registry.ts';
import { refreshRepository } from './refresh-tags.ts';
import { type ImageUse, usesOf } from './used-by.ts';

export interface DescribedRepository extends ListedRepository {
  /** What the caller may do with it. */
  actions: readonly RepositoryAction[];
  /** Only of stacks that the caller may see. */
  uses: readonly ImageUse[];
}

/** Reads the registry and corrects the index, so that it shows what is there even if an announcement was lost. */
export async function describeRepository(
  service: Service,
  actor: Actor,
  name: string,
): Promise<DescribedRepository> {
  if (!isRepositoryName(name)) throw notFound('Repository', name);
  const registry = await openRegistry(service);
  await requireOnRepository(service, actor, { repository: name, actions: ['pull'] });
  await refreshRepository(service, registry, name);
  const row = await findRepository(service.database.query, name);
  if (!row) throw notFound('Repository', name);
  const [listed] = await withImages(service, [row]);
  const uses = await usesOf(service, actor, name);
  return {
    ...row,
    images: listed?.images ?? [],
    actions: await actionsOn(service, actor, name),
    uses: uses.filter(({ visible }) => visible),
  };
}

/** The tags that the registry has now, by name. */
export async function readTags(
  service: Service,
  actor: Actor,
  imageId: string,
): Promise<{ name: string; tags: string[] }> {
  const { repository: name } = readImageId(imageId);
  const registry = await openRegistry(service);
  await requireOnRepository(service, actor, { repository: name, actions: ['pull'] });
  const tags = await registry.tags(name);
  if (tags.length === 0 && !(await findRepository(service.database.query, name)))
    throw notFound('Repository', name);
  return { name, tags };
}
