import type { Clock } from '../../../basics/clock.ts';
import type { Labels } from '../../../docker-engine/container-types.ts';
import type { Engine, Volume } from '../../../docker-engine/types.ts';
import { keepRecordName, labels } from '../names.ts';
import { claimVolume, keepVolume } from './keep.ts';
import {
  contentOf,
  endOfKeeping,
  isOwned,
  isRecord,
  type KeptVolume,
  type RecordedVolume,
  recordFrom,
  storeIdOf,
} from './record.ts';

/** The kept volumes of one engine, for the operator and for the server, which removes them after their time. */
export interface KeepTools {
  engine: Engine;
  clock: Clock;
  /** 0: for ever. */
  keepDays: number;
}

/** What the store knows of the stack of a volume. */
export type StackPresence = 'exists' | 'deleted';

export interface SweepTools extends KeepTools {
  /** Without the stacks that the store does not know: those of another server, or of a deleted account. */
  presenceOf: (stackIds: readonly string[]) => Promise<ReadonlyMap<string, StackPresence>>;
}

/** The oldest first. A record whose volume is gone counts for nothing. */
export async function listKept({ engine }: Pick<KeepTools, 'engine'>): Promise<RecordedVolume[]> {
  const [records, volumes] = await Promise.all([
    engine.containers.list({ [labels.volume]: null }),
    engine.volumes.list({ [labels.stack]: null }),
  ]);
  const owned = new Map(volumes.filter(isOwned).map((volume) => [volume.name, volume]));
  return records
    .filter(isRecord)
    .map(recordFrom)
    .flatMap((kept) => {
      const volume = owned.get(kept.volume);
      const isSame = volume && stackOf(volume) === kept.stackId;
      return isSame ? [{ ...kept, storeId: storeIdOf(volume) }] : [];
    })
    .toSorted((one, other) => one.keptAt - other.keptAt || (one.volume < other.volume ? -1 : 1));
}

/** Never another one than a kept volume of ours, whatever the name. */
async function findKept(tools: KeepTools, volume: string): Promise<RecordedVolume> {
  const found = (await listKept(tools)).find((kept) => kept.volume === volume);
  if (found) return found;
  throw new Error(`There is no kept volume ${volume}. List them: almanac volumes list`);
}

const changedMeanwhile = (volume: string): Error =>
  new Error(
    `Volume ${volume} is in use again, or its record has just been changed by someone else. Look with ` +
      'almanac volumes list. Try again if it is still kept.',
  );

/** Sets how long a volume is kept from now on; 0 days: for ever. */
export async function keepLonger(tools: KeepTools, volume: string, days: number): Promise<KeptVolume> {
  const { engine, clock } = tools;
  const found = await findKept(tools, volume);
  const kept = { ...found, until: endOfKeeping(clock.now(), days) };
  const isChanged = (await claimVolume(engine, found)) && (await keepVolume(engine, kept));
  if (!isChanged) throw changedMeanwhile(volume);
  return kept;
}

/** False: it is no longer kept. An interruption leaves a volume without a record, which is kept again. */
async function removeUnused({ engine }: KeepTools, kept: RecordedVolume): Promise<boolean> {
  const { volume } = kept;
  const users = (await engine.volumes.usersOf(volume)).filter((name) => name !== keepRecordName(volume));
  if (users.length > 0)
    throw new Error(
      `Volume ${volume} is in use by ${users.join(', ')}. Remove the container, then try again.`,
    );
  if (!(await claimVolume(engine, kept))) return false;
  await engine.volumes.remove(volume);
  return true;
}

export async function removeKept(tools: KeepTools, volume: string): Promise<KeptVolume> {
  const kept = await findKept(tools, volume);
  if (!(await removeUnused(tools, kept))) throw changedMeanwhile(volume);
  return kept;
}

export interface Swept {
  removed: readonly KeptVolume[];
  /** Volumes that lost their record, and now have a new one. */
  recorded: readonly KeptVolume[];
  failed: readonly { volume: string; error: unknown }[];
}

/** Removes the volumes whose time is over. One that is in use stays, and one whose stack the store does not know. */
export async function sweep(tools: SweepTools): Promise<Swept> {
  const recorded = await recordAgain(tools);
  const removed: KeptVolume[] = [];
  const failed: { volume: string; error: unknown }[] = [];
  for (const kept of await listOver(tools)) {
    try {
      if (await removeUnused(tools, kept)) removed.push(kept);
    } catch (error) {
      failed.push({ volume: kept.volume, error });
    }
  }
  return { removed, recorded, failed };
}

async function listOver(tools: SweepTools): Promise<RecordedVolume[]> {
  const now = tools.clock.now();
  const over = (await listKept(tools)).filter(({ until }) => until !== null && until <= now);
  const presence = await tools.presenceOf(over.map(({ stackId }) => stackId));
  return over.filter(({ stackId }) => presence.has(stackId));
}

const stackOf = ({ labels: own }: { labels: Labels }): string => own[labels.stack] ?? '';

/**
 * `docker container prune` removes records. Their volumes are kept as if they had just become unused; for ever, if the store
 * does not know their stack. Those of a stack that exists are still part of it, whatever is left of it on the engine.
 */
async function recordAgain({ engine, clock, keepDays, presenceOf }: SweepTools): Promise<KeptVolume[]> {
  const now = clock.now();
  const recorded: KeptVolume[] = [];
  // The store knows a stack before the engine has a volume of it, so that the engine is read first.
  const found = await volumesWithoutStack(engine);
  const presence = await presenceOf([...new Set(found.map(stackOf))]);
  for (const volume of found) {
    const stackId = stackOf(volume);
    const known = presence.get(stackId);
    if (known === 'exists') continue;
    const until = known === 'deleted' ? endOfKeeping(now, keepDays) : null;
    const owner = { stackId, accountId: volume.labels[labels.account] ?? '' };
    const kept = { volume: volume.name, ...owner, ...contentOf(volume), keptAt: now, until };
    if (await keepVolume(engine, kept)) recorded.push(kept);
  }
  return recorded;
}

/** Volumes of ours without a record, of stacks of which the engine has nothing else. */
async function volumesWithoutStack({ containers, networks, volumes }: Engine): Promise<Volume[]> {
  const any = { [labels.stack]: null };
  const found = (await volumes.list(any)).filter(isOwned);
  if (found.length === 0) return [];
  const [usedBy, connected] = await Promise.all([containers.list(any), networks.list(any)]);
  const living = new Set([...usedBy.filter((container) => !isRecord(container)), ...connected].map(stackOf));
  const recorded = new Set(usedBy.filter(isRecord).map((record) => recordFrom(record).volume));
  return found.filter((volume) => !living.has(stackOf(volume)) && !recorded.has(volume.name));
}
