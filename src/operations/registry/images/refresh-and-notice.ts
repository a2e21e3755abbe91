import type { Registry } from '../../../registry/registry.ts';
import { listImages } from '../../../store/registry/images.ts';
import type { Service } from '../../service.ts';
import { noticePush } from '../track/notice-push.ts';
import { refreshRepository, type TagFailure } from './refresh-tags.ts';

async function digestsIn({ database }: Service, repository: string): Promise<Map<string, string>> {
  const images = await listImages(database.query, [repository]);
  return new Map(images.map(({ tag, digest }) => [tag, digest]));
}

/** Makes the index say what the registry has in this repository now. What follows a tag that changed is deployed, as after its push. */
export async function refreshAndNotice(
  service: Service,
  registry: Registry,
  repository: string,
): Promise<readonly TagFailure[]> {
  const before = await digestsIn(service, repository);
  const failures = await refreshRepository(service, registry, repository);
  for (const [tag, digest] of await digestsIn(service, repository))
    if (before.get(tag) !== digest) await noticePush(service, { repository, tag });
  return failures;
}
