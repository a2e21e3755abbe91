import type { Health } from '../model/rollout.ts';
import type { ContainerRow } from '../store/stacks/containers.ts';
import { type Heard, isSilent } from './judge.ts';

/** Agents that name no revision repeat their reports every minute or faster. */
const freshMs = 3 * 60_000;
/** What such agents report of a container that serves. */
const servingStatuses: ReadonlySet<string> = new Set(['running', 'complete']);

export interface InstanceFacts {
  id: string;
  isStopped: boolean;
  /** Undefined: it has named no revision. */
  report: Heard | undefined;
  /** The last report about its container. */
  container: ContainerRow | undefined;
}

interface Verdict {
  word: 'serving' | 'not serving' | 'unknown';
  reason: string;
}

const unknown = (id: string): Verdict => ({
  word: 'unknown',
  reason: `Instance ${id} does not say what it runs.`,
});

/** Whether anything serves on an instance; which revision is the matter of rollouts. Never green by silence. */
function verdictOf({ id, isStopped, report, container }: InstanceFacts, now: number): Verdict {
  if (isStopped) return { word: 'not serving', reason: `Instance ${id} is stopped.` };
  if (report) {
    if (isSilent(report, now))
      return { word: 'unknown', reason: `Instance ${id} has not reported for a while.` };
    if (report.serving_revision > 0) return { word: 'serving', reason: '' };
    const reason = report.reason || 'Nothing serves yet.';
    return { word: 'not serving', reason: `Instance ${id}: ${reason}` };
  }
  if (!container || now - container.updated_at > freshMs) return unknown(id);
  return servingStatuses.has(container.status)
    ? { word: 'serving', reason: '' }
    : { word: 'not serving', reason: `Instance ${id}: its container is ${container.status}.` };
}

export interface StackHealth {
  health: Health;
  reason: string;
}

/** The health of a stack with containers. */
export function healthOf(instances: readonly InstanceFacts[], now: number): StackHealth {
  const verdicts = instances.map((instance) => verdictOf(instance, now));
  const bad = verdicts.filter(({ word }) => word === 'not serving');
  const serving = verdicts.filter(({ word }) => word === 'serving').length;
  const silent = verdicts.find(({ word }) => word === 'unknown');
  const reason = (bad[0] ?? silent)?.reason ?? '';
  const counted =
    verdicts.length > 1 ? `${serving} of ${verdicts.length} instances serve. ${reason}` : reason;
  if (verdicts.length === 0)
    return { health: 'unknown', reason: 'No instance of a layer with a container runs.' };
  if (serving === verdicts.length) return { health: 'serving', reason: '' };
  if (bad.length === 0 && serving === 0) return { health: 'unknown', reason };
  return { health: serving > 0 ? 'degraded' : 'down', reason: counted };
}
