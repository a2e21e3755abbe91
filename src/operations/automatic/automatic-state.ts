import type { StackModel } from '../../model/stack-model.ts';
import { type AutomaticVersion, findLastAutomatic } from '../../store/automatic/automatic-versions.ts';
import { findHookOfStack } from '../../store/automatic/deploy-hooks.ts';
import { findPause, pauseStack, resumeStack } from '../../store/automatic/paused-stacks.ts';
import { listTrackedLayers, type TrackedLayerRow } from '../../store/automatic/tracked-layers.ts';
import type { Query } from '../../store/database/database.ts';
import { readDesiredModel } from '../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../access/access.ts';
import { findExistingStack } from '../find-stack.ts';
import { registryAddress } from '../registry/address.ts';
import { followedOn, presentImage } from '../registry/track/followed.ts';
import type { Service } from '../service.ts';

interface FollowingLayer {
  flag: string;
  track: string;
  image: string;
  /** The content that the image means; empty: not known. */
  digest: string;
  /** What would have been deployed if the stack were not paused. */
  missed: { tag: string; digest: string; at: number } | null;
}

export interface AutomaticState {
  paused: { by: string; at: number } | null;
  layers: FollowingLayer[];
  hasHook: boolean;
  last: AutomaticVersion | undefined;
}

const missedOf = (row: TrackedLayerRow | undefined, digest: string): FollowingLayer['missed'] =>
  row && row.missed_at !== null && row.missed_digest !== digest
    ? { tag: row.missed_tag, digest: row.missed_digest, at: row.missed_at }
    : null;

async function followingLayers(
  query: Query,
  host: string,
  { stackId, model }: { stackId: string; model: StackModel },
): Promise<FollowingLayer[]> {
  const rows = new Map((await listTrackedLayers(query, stackId)).map((row) => [row.flag, row]));
  const layers: FollowingLayer[] = [];
  for (const { flag, container } of model.layers) {
    if (container?.track === undefined) continue;
    const { track, image } = container;
    const repository = followedOn(host, track)?.repository ?? '';
    const digest = (await presentImage(query, host, { image, repository }))?.digest ?? '';
    layers.push({ flag, track, image: image ?? '', digest, missed: missedOf(rows.get(flag), digest) });
  }
  return layers;
}

/** What the server does by itself with a stack, after pushes and calls of its deploy hook. */
export async function readAutomatic(
  service: Service,
  actor: Actor,
  stackId: string,
): Promise<AutomaticState> {
  const { query } = service.database;
  const stack = await findExistingStack(query, actor.accountId, { stackId, language: 'v3' });
  const { model } = await readDesiredModel(query, stack);
  const address = await registryAddress(service);
  const pause = await findPause(query, stackId);
  return {
    paused: pause ? { by: pause.paused_by, at: pause.paused_at } : null,
    layers: await followingLayers(query, address ? new URL(address.url).host : '', { stackId, model }),
    hasHook: (await findHookOfStack(query, stackId)) !== undefined,
    last: await findLastAutomatic(query, stackId),
  };
}

/** While a stack is paused, pushes and deploy hooks make no versions of it. What was missed is not made up for. */
export async function setPaused(
  service: Service,
  actor: Actor,
  { stackId, paused }: { stackId: string; paused: boolean },
): Promise<AutomaticState> {
  const { query } = service.database;
  const stack = await findExistingStack(query, actor.accountId, { stackId, language: 'v3' });
  const pause = { stack_id: stack.id, paused_by: nameOf(actor), paused_at: service.clock.now() };
  if (paused) await pauseStack(query, pause);
  else await resumeStack(query, stack.id);
  return readAutomatic(service, actor, stackId);
}
