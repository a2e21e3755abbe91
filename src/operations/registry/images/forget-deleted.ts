import { inParallel } from '../../../basics/in-parallel.ts';
import { concurrentRequests } from '../../../registry/read-tags.ts';
import type { Registry } from '../../../registry/registry.ts';
import { deleteRepository } from '../../../store/registry/repositories.ts';
import type { Service } from '../../service.ts';
import { refreshTag } from './refresh-tags.ts';

interface Deleted {
  repository: string;
  tags: readonly string[];
  /** The whole repository, with its description and visibility. */
  isWhole: boolean;
}

/** Reads the tags again instead of believing in the deletion: each may have been pushed again. */
export async function forgetDeleted(
  service: Service,
  registry: Registry,
  { repository, tags, isWhole }: Deleted,
): Promise<void> {
  await inParallel(tags, concurrentRequests, (tag) => refreshTag(service, { registry, repository, tag }));
  if (!isWhole) return;
  const left = await registry.tags(repository);
  if (left.length === 0) await service.database.transaction((query) => deleteRepository(query, repository));
}
