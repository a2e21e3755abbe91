import type { StackModel } from '../../../model/stack-model.ts';
import { saveTrackedLayers } from '../../../store/automatic/tracked-layers.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Service } from '../../service.ts';
import { registryAddress } from '../address.ts';
import { followedOn } from './followed.ts';

/** Notes which repositories the layers of a new version follow, so that a push finds them. Runs in the transaction of the version. */
export async function keepTracked(
  { settings }: Service,
  query: Query,
  { stack_id: stackId, model }: { stack_id: string; model: StackModel },
): Promise<void> {
  const layers = model.layers.filter(({ container }) => container?.track !== undefined);
  const address = layers.length > 0 ? await registryAddress({ database: { query }, settings }) : null;
  if (!address) return;
  const { host } = new URL(address.url);
  const followed = layers.flatMap(({ flag, container }) => {
    const repository = followedOn(host, container?.track ?? '')?.repository;
    return repository === undefined ? [] : [{ flag, repository }];
  });
  await saveTrackedLayers(query, stackId, followed);
}
