import type { InstanceState, RolloutState } from '../model/rollout.ts';
import type { AppInstanceRow } from '../store/stacks/app-instances.ts';
import type { RolloutRow } from '../store/stacks/rollouts.ts';

/** So many reports may be missing before an instance counts as silent. */
const missedReports = 3;

/** A report, and when the instance was heard last. */
export interface Heard extends AppInstanceRow {
  heard_at: number;
}

export const isSilent = ({ heard_at: at, every_seconds: every }: Heard, now: number): boolean =>
  every > 0 && now - at > missedReports * every * 1000;

/** What an instance does with a revision. Older revisions that serve do not count. */
export function stateOf(report: Heard, revision: number, now: number): InstanceState {
  if (isSilent(report, now)) return 'unknown';
  const isAbout = report.revision >= revision;
  if (report.serving_revision >= revision && report.state !== 'failing') return 'serving';
  return isAbout && report.state === 'failing' ? 'failing' : 'starting';
}

/** The instances of a layer that should serve, and what they say. */
export interface LayerInstances {
  /** By instance id; undefined: it has not reported. */
  reports: ReadonlyMap<string, Heard | undefined>;
  /** All instances that should serve are known: the vendor is done. */
  isSettled: boolean;
  /** Instances whose agents report, but never name a revision: nobody can wait for them. */
  mute: ReadonlySet<string>;
}

const isOpen = (state: RolloutState): boolean => state !== 'superseded' && state !== 'returned';

/** What became of a rollout, from the last reports. */
export function judged(row: RolloutRow, layer: LayerInstances, now: number): RolloutRow {
  const { reports, mute, isSettled } = layer;
  if (!isOpen(row.state)) return row;
  const named = [...reports].filter(([id, report]) => report !== undefined || !mute.has(id));
  const said = named.flatMap(([, report]) => (report ? [report] : []));
  const states = said.map((report) => stateOf(report, row.revision, now));
  const count = (state: InstanceState) => states.filter((each) => each === state).length;
  const counts = { wanted: named.length, serving: count('serving'), failing: count('failing') };
  const counted = { ...row, ...counts };
  if (said.length === 0 && (named.length === 0 || row.state === 'serving' || row.state === 'unknown'))
    return withState(counted, { state: row.deadline_at === null ? 'rolling' : 'unknown', now });
  if (counts.serving === counts.wanted && isSettled) return withState(counted, { state: 'serving', now });
  if (row.state === 'serving') return row;
  // Its agents begin to name revisions: what they found when they came does not count as a failure.
  if (row.state === 'unknown') return counted;
  // The first reason counts.
  if (row.state === 'failing') return withState(counted, { state: 'failing', now });
  const failed = said.find((report) => isDefinite(report, row.revision, now));
  if (failed)
    return withState(counted, { state: 'failing', reason: reasonOf(failed), lines: failed.last_lines, now });
  if (row.deadline_at === null || now < row.deadline_at) return withState(counted, { state: 'rolling', now });
  // Nobody looked at that time: agents get their turn first.
  if (now - row.deadline_at > overlookedMs && (said.length === 0 || states.includes('unknown')))
    return withState({ ...counted, deadline_at: now + afterOutageMs }, { state: 'rolling', now });
  const late = said.find((report) => stateOf(report, row.revision, now) === 'failing');
  return withState(counted, {
    state: 'failing',
    reason: late ? reasonOf(late) : lateReason(counts, said.length),
    lines: late?.last_lines ?? '',
    now,
  });
}

/** A pass runs when the time is over; later than this, the server was down. */
const overlookedMs = 30_000;
const afterOutageMs = 3 * 60_000;

const isDefinite = (report: Heard, revision: number, now: number): boolean =>
  report.is_definite === 1 && stateOf(report, revision, now) === 'failing';

const reasonOf = ({ instance_id: id, reason }: AppInstanceRow): string => `Instance ${id}: ${reason}`;

const lateReason = ({ wanted, serving }: Pick<RolloutRow, 'wanted' | 'serving'>, said: number): string =>
  said === 0
    ? `No agent has reported from the ${wanted === 1 ? 'instance' : `${wanted} instances`} of the layer in time. Look at its boot log, and whether it reaches this server.`
    : `Only ${serving} of ${wanted} instances serve the new container in time; the others do not say why.`;

interface Judgement {
  state: RolloutState;
  reason?: string;
  lines?: string;
  now: number;
}

function withState(row: RolloutRow, { state, reason, lines, now }: Judgement): RolloutRow {
  const isOver = state === 'serving' || state === 'unknown';
  const isFailing = state === 'failing';
  return {
    ...row,
    state,
    reason: isFailing ? (reason ?? row.reason) : '',
    last_lines: isFailing ? (lines ?? row.last_lines) : '',
    ended_at: isOver || isFailing ? (row.state === state ? (row.ended_at ?? now) : now) : null,
  };
}
