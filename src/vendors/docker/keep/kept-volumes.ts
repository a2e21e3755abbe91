import type { Clock } from '../../../basics/clock.ts';
import type { Engine, Volume } from '../../../docker-engine/types.ts';
import { keepRecordName, labels } from '../names.ts';
import { keepVolume, releaseVolume } from './keep.ts';
import { contentOf, endOfKeeping, isOwned, isRecord, type KeptVolume, recordFrom } from './record.ts';

/** The kept volumes of one engine, for the operator and for the server, which removes them after their time. */
export interface KeepTools {
  engine: Engine;
  clock: Clock;
  /** 0: for ever. */
  keepDays: number;
}

/** The oldest first. A record whose volume is gone counts for nothing. */
export async function listKept({ engine }: KeepTools): Promise<KeptVolume[]> {
  const [records, volumes] = await Promise.all([
    engine.containers.list({ [labels.volume]: null }),
    engine.volumes.list({ [labels.stack]: null }),
  ]);
  const owned = new Map(volumes.filter(isOwned).map(({ name, labels: own }) => [name, own[labels.stack]]));
  return records
    .filter(isRecord)
    .map(recordFrom)
    .filter(({ volume, stackId }) => owned.get(volume) === stackId)
    .toSorted((one, other) => one.keptAt - other.keptAt || (one.volume < other.volume ? -1 : 1));
}

/** Never another one than a kept volume of ours, whatever the name. */
async function findKept(tools: KeepTools, volume: string): Promise<KeptVolume> {
  const found = (await listKept(tools)).find((kept) => kept.volume === volume);
  if (found) return found;
  throw new Error(`There is no kept volume ${volume}. List them: almanac volumes list`);
}

/** Sets how long a volume is kept from now on; 0 days: for ever. */
export async function keepLonger(tools: KeepTools, volume: string, days: number): Promise<KeptVolume> {
  const { engine, clock } = tools;
  const kept = { ...(await findKept(tools, volume)), until: endOfKeeping(clock.now(), days) };
  await releaseVolume(engine, volume);
  await keepVolume(engine, kept);
  return kept;
}

/** The record keeps the volume until nothing else can: an interruption leaves a volume without one, which is kept again. */
async function removeUnused({ engine }: KeepTools, { volume }: KeptVolume): Promise<void> {
  const users = (await engine.volumes.usersOf(volume)).filter((name) => name !== keepRecordName(volume));
  if (users.length > 0)
    throw new Error(
      `Volume ${volume} is in use by ${users.join(', ')}. Remove the container, then try again.`,
    );
  await releaseVolume(engine, volume);
  await engine.volumes.remove(volume);
}

export async function removeKept(tools: KeepTools, volume: string): Promise<KeptVolume> {
  const kept = await findKept(tools, volume);
  await removeUnused(tools, kept);
  return kept;
}

export interface Swept {
  removed: readonly KeptVolume[];
  /** Volumes that lost their record, and now have a new one. */
  recorded: readonly KeptVolume[];
  failed: readonly { volume: string; error: unknown }[];
}

/** Removes the volumes whose time is over. One that is in use stays. */
export async function sweep(tools: KeepTools): Promise<Swept> {
  const recorded = await recordAgain(tools);
  const now = tools.clock.now();
  const removed: KeptVolume[] = [];
  const failed: { volume: string; error: unknown }[] = [];
  for (const kept of await listKept(tools)) {
    if (kept.until === null || kept.until > now) continue;
    try {
      await removeUnused(tools, kept);
      removed.push(kept);
    } catch (error) {
      failed.push({ volume: kept.volume, error });
    }
  }
  return { removed, recorded, failed };
}

/** `docker container prune` removes records. Their volumes are kept as if they had just become unused. */
async function recordAgain({ engine, clock, keepDays }: KeepTools): Promise<KeptVolume[]> {
  const now = clock.now();
  const time = { keptAt: now, until: endOfKeeping(now, keepDays) };
  const recorded: KeptVolume[] = [];
  for (const volume of await volumesWithoutStack(engine)) {
    const owner = {
      stackId: volume.labels[labels.stack] ?? '',
      accountId: volume.labels[labels.account] ?? '',
    };
    const kept = { volume: volume.name, ...owner, ...contentOf(volume), ...time };
    await keepVolume(engine, kept);
    recorded.push(kept);
  }
  return recorded;
}

/** Volumes of ours without a record, of stacks of which the engine has nothing else. */
async function volumesWithoutStack({ containers, networks, volumes }: Engine): Promise<Volume[]> {
  const any = { [labels.stack]: null };
  const found = (await volumes.list(any)).filter(isOwned);
  if (found.length === 0) return [];
  const [usedBy, connected] = await Promise.all([containers.list(any), networks.list(any)]);
  const stackOf = (own: { labels: Readonly<Record<string, string>> }) => own.labels[labels.stack];
  const living = new Set([...usedBy.filter((container) => !isRecord(container)), ...connected].map(stackOf));
  const recorded = new Set(usedBy.filter(isRecord).map((record) => recordFrom(record).volume));
  return found.filter((volume) => !living.has(stackOf(volume)) && !recorded.has(volume.name));
}
