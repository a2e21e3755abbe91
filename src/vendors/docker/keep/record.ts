import type { Container, Labels } from '../../../docker-engine/container-types.ts';
import type { Volume } from '../../../docker-engine/types.ts';
import { storeIn, volumeId } from '../data.ts';
import { labels, stackName } from '../names.ts';

/**
 * A kept volume: its data outlived its database, cache or stack. Labels of a volume cannot change, so a container that
 * never runs records it. The container mounts the volume, so that the engine neither prunes nor removes it by accident.
 */
export interface KeptVolume {
  volume: string;
  stackId: string;
  accountId: string;
  /** The name of the database, cache or files. */
  flag: string;
  /** `mysql`, `postgresql`, `redis` or `files`. */
  engine: string;
  keptAt: number;
  /** Null: for ever. */
  until: number | null;
}

export interface RecordedVolume extends KeptVolume {
  /** The id of the container that records it. */
  recordId: string;
  /** The id of the store in it. */
  storeId: string;
}

/** The id of the store in a volume. */
export const storeIdOf = ({ name, labels: own }: Volume): string => volumeId(name, own[labels.id]);

const recordKind = 'kept';
const forEver = 'forever';
const dayMs = 86_400_000;

/** When data that is kept from `now` on may be removed. 0 days: never. */
export const endOfKeeping = (now: number, days: number): number | null =>
  days === 0 ? null : now + days * dayMs;

const engineIn = /^(?:database|cache)-.*-([a-z]+)$/;

/** What a volume contains. Volumes of older versions of Almanac have fewer labels; their names tell as much. */
export function contentOf({ name, labels: own }: Volume): Pick<KeptVolume, 'flag' | 'engine'> {
  const rest = name.slice(stackName(own[labels.stack] ?? '').length + 1);
  const flag = own[labels.flag] ?? storeIn(rest)?.name ?? rest;
  return { flag, engine: own[labels.engine] ?? engineIn.exec(rest)?.[1] ?? 'files' };
}

/** Only a volume that has both our label and our name is ours. */
export const isOwned = ({ name, labels: own }: Volume): boolean => {
  const stackId = own[labels.stack] ?? '';
  if (stackId === '') return false;
  const instance = own[labels.instance] ?? '';
  return instance === '' ? name.startsWith(`${stackName(stackId)}-`) : name === `${instance}-storage`;
};

export const isRecord = ({ labels: own }: Container): boolean => own[labels.kind] === recordKind;

export const recordLabels = (kept: KeptVolume): Labels => ({
  [labels.stack]: kept.stackId,
  [labels.kind]: recordKind,
  [labels.account]: kept.accountId,
  [labels.flag]: kept.flag,
  [labels.engine]: kept.engine,
  [labels.volume]: kept.volume,
  [labels.keptAt]: new Date(kept.keptAt).toISOString(),
  [labels.keptUntil]: kept.until === null ? forEver : new Date(kept.until).toISOString(),
});

/** A time that cannot be read means for ever: nothing is removed because of a damaged label. */
const timeFrom = (text: string | undefined): number | null => {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : time;
};

export const recordFrom = ({ id, labels: own, createdAt }: Container): Omit<RecordedVolume, 'storeId'> => ({
  recordId: id,
  volume: own[labels.volume] ?? '',
  stackId: own[labels.stack] ?? '',
  accountId: own[labels.account] ?? '',
  flag: own[labels.flag] ?? '',
  engine: own[labels.engine] ?? '',
  keptAt: timeFrom(own[labels.keptAt]) ?? createdAt,
  until: timeFrom(own[labels.keptUntil]),
});
