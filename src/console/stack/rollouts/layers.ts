import type { Reading } from '../../parts/status/status.ts';
import type { Rollout, RolloutInstance } from '../data/rollouts.ts';

/** What one layer with a container runs now. */
export interface LayerNow {
  rollout: Rollout;
  reading: Reading;
  serving: number;
  wanted: number;
  /** Those that do not serve it. */
  others: readonly RolloutInstance[];
  /** The rollout before, if it failed and this one brought the version before it back. */
  returned: Rollout | null;
}

/** Once it is over, the current rollout of a layer has instances; that of a container which is gone has none. */
const isCurrent = ({ instances, ended_at }: Rollout): boolean => instances.length > 0 || ended_at === null;

const readings: Readonly<Record<Rollout['state'], Reading>> = {
  rolling: { tone: 'work', word: 'Rolling out' },
  serving: { tone: 'good', word: 'Serving' },
  failing: { tone: 'bad', word: 'Failing' },
  returned: { tone: 'warn', word: 'Returned' },
  superseded: { tone: 'none', word: 'Superseded' },
  unknown: { tone: 'none', word: 'Unknown' },
};

/** A rollout that succeeded stays so; what its instances do since is the health of the layer. */
function readingOf({ state }: Rollout, instances: readonly RolloutInstance[]): Reading {
  const has = (wanted: RolloutInstance['state']): boolean => instances.some((each) => each.state === wanted);
  if (state !== 'serving') return readings[state];
  if (has('failing'))
    return has('serving') ? { tone: 'warn', word: 'Degraded' } : { tone: 'bad', word: 'Down' };
  if (has('unknown')) return readings.unknown;
  return has('starting') ? { tone: 'work', word: 'Starting' } : readings.serving;
}

function layerOf(rollout: Rollout, before: Rollout | undefined): LayerNow {
  const { instances } = rollout;
  const others = instances.filter(({ state }) => state !== 'serving');
  const isCounted = instances.length > 0;
  return {
    rollout,
    reading: readingOf(rollout, instances),
    serving: isCounted ? instances.length - others.length : rollout.serving,
    wanted: isCounted ? instances.length : rollout.wanted,
    others,
    returned: before?.state === 'returned' ? before : null,
  };
}

/** The layers with containers, from rollouts that are sorted with the newest first. */
export function layersNow(rollouts: readonly Rollout[]): LayerNow[] {
  const flags = [...new Set(rollouts.map(({ flag }) => flag))].toSorted();
  return flags.flatMap((flag) => {
    const [current, before] = rollouts.filter((each) => each.flag === flag);
    return current && isCurrent(current) ? [layerOf(current, before)] : [];
  });
}

/** Whether the version was made to go back from one that failed, and its containers serve. */
export const isBackInPlace = (rollouts: readonly Rollout[], versionId: string | null): boolean =>
  layersNow(rollouts).some(
    ({ rollout, returned }) =>
      returned !== null && rollout.version_id === versionId && rollout.state === 'serving',
  );

/** What the application of each instance does, by the id of the instance. */
export const applicationsOf = (rollouts: readonly Rollout[]): ReadonlyMap<string, RolloutInstance> =>
  new Map(
    layersNow(rollouts).flatMap(({ rollout }) => rollout.instances.map((each) => [each.instance_id, each])),
  );

/** Such as "2 of 3 serve". */
export const countWords = ({ serving, wanted }: Pick<LayerNow, 'serving' | 'wanted'>): string =>
  `${serving} of ${wanted} ${serving === 1 ? 'serves' : 'serve'}`;

const words: Readonly<Record<RolloutInstance['state'], string>> = {
  starting: 'is starting',
  serving: 'serves',
  failing: 'does not serve',
  unknown: 'does not report',
};

/** What an instance does with the revision that it should run. */
export function instanceWords({ state, serving_revision }: RolloutInstance, revision: number): string {
  const keeps = serving_revision > 0 && serving_revision < revision && state !== 'unknown';
  return keeps ? `${words[state]} it, and keeps serving the one before` : words[state];
}
