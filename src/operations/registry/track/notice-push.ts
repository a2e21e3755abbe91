import { newestOf } from '../../../model/registry/track.ts';
import { changeTrackedLayer, listFollowers } from '../../../store/automatic/tracked-layers.ts';
import { listImages } from '../../../store/registry/images.ts';
import { findStackById } from '../../../store/stacks/stacks.ts';
import { readDesiredModel } from '../../../store/stacks/versions.ts';
import type { Service } from '../../service.ts';
import { registryHost } from '../images/open-registry.ts';
import { followedOn } from './followed.ts';

interface PushedTag {
  repository: string;
  tag: string;
}

/** What a layer of the desired version follows; null: nothing, or the stack was deleted. */
async function trackOf({ database: { query } }: Service, stackId: string, flag: string) {
  const stack = await findStackById(query, stackId);
  if (!stack || stack.deleted_at !== null) return null;
  const { model } = await readDesiredModel(query, stack);
  return model.layers.find((layer) => layer.flag === flag)?.container?.track ?? null;
}

/**
 * Makes the layers due that follow what was pushed. The index must have the push already. Only the newest version of a range counts: an
 * older one changes nothing.
 */
export async function noticePush(service: Service, { repository, tag }: PushedTag): Promise<void> {
  const { query } = service.database;
  const followers = await listFollowers(query, repository);
  if (followers.length === 0) return;
  const host = await registryHost(service);
  const images = await listImages(query, [repository]);
  for (const row of followers) {
    const followed = followedOn(host, (await trackOf(service, row.stack_id, row.flag)) ?? '');
    if (followed?.repository !== repository || newestOf(followed.reference, images)?.tag !== tag) continue;
    await changeTrackedLayer(query, row, { due_at: service.clock.now() });
  }
}
