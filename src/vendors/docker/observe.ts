import { isEngineFailure } from '../../docker-engine/errors.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { emptyView, type Observation, type StackView } from '../vendor.ts';
import { type DockerDocument, memberAt } from './document.ts';
import { instanceStem, shortId } from './names.ts';
import { eventsOf } from './observe/events.ts';
import { missingImages } from './observe/images.ts';
import { measureLoads } from './observe/measure-loads.ts';
import { nextSizes } from './observe/next-sizes.ts';
import { readStack } from './observe/read-stack.ts';
import { readyTimeoutMs } from './observe/stores.ts';
import { viewOf } from './observe/view.ts';
import { isEmpty, type Marker, type ObservedStack, type StackContainer } from './observed-stack.ts';
import { isFailedCopy } from './plan/copies.ts';
import { isSettled, nextWave } from './plan/plan.ts';
import { atSizes } from './plan/scaling.ts';
import type { Machine } from './tools.ts';

/** Groups that scale are measured so often. */
const measuredLookMs = 5_000;
const waitingLookMs = 400;
/** After this time the stack is `unfinished` instead of `busy`, so that a newer version can be applied. */
const busyMs = 20_000;
const maxRestarts = 4;
/** Restarts count as failures in this time after the creation. Later ones are reboots of the machine, or by an operator. */
const restartWindowMs = 10 * 60_000;
const maxCached = 10_000;

export async function observe(machine: Machine, stackId: string): Promise<Observation> {
  try {
    return await observation(machine, stackId);
  } catch (error) {
    if (isEngineFailure(error)) return { kind: 'unreachable', reason: error.message };
    throw error;
  }
}

async function observation(machine: Machine, stackId: string): Promise<Observation> {
  const observed = await readStack(machine, stackId);
  const now = machine.tools.clock.now();
  if (isEmpty(observed)) return { kind: 'absent', view: { ...emptyView, events: eventsOf(observed, now) } };
  const [newest] = observed.markers;
  const view = viewOf(stackId, observed, now);
  // The markers were removed by hand. The next apply or remove writes a new one.
  if (!newest) return { kind: 'unfinished', doing: 'remove', version: '', view };
  const { doing, version } = newest;
  const document = atSizes(newest.document, newest.sizes);
  if (doing === 'remove') return { kind: 'unfinished', doing, version, view };
  const failed = observed.containers.find(isFailedCopy);
  if (failed) {
    const reason = `The data of a kept volume cannot be copied to ${failed.volume}. ${await lastLogLines(machine.engine, failed.id)}`;
    return { kind: 'broken', doing, version, reason, terminal: true, view };
  }
  const steps = nextWave({ stackId, document }, observed);
  if (steps.length > 0) {
    const missing = steps.some((step) => step.do === 'create')
      ? await missingImages(machine, document)
      : null;
    if (missing) return { kind: 'broken', doing, version, reason: missing, terminal: true, view };
    return { kind: 'unfinished', doing, version, view };
  }
  if (isSettled(document, observed)) {
    for (const { id } of observed.containers) machine.notReadySince.delete(id);
    await measureLoads(machine, { stackId, document }, observed);
    if (Object.keys(nextSizes(machine, stackId, newest)).length > 0)
      return { kind: 'unfinished', doing, version, view };
    const isMeasured = document.fleets.some(({ scaling }) => scaling !== undefined);
    return { kind: 'settled', version, ...(isMeasured ? { lookAgainMs: measuredLookMs } : {}), view };
  }
  return whileWaiting(machine, { marker: newest, view }, pendingContainers(document, observed));
}

async function whileWaiting(
  machine: Machine,
  { marker: { doing, version, document }, view }: { marker: Marker; view: StackView },
  pending: readonly StackContainer[],
): Promise<Observation> {
  const waits = pending.map((container) => ({ container, waitedMs: waitedFor(machine, container.id) }));
  for (const { container, waitedMs } of waits) {
    // What load added is not part of the version: without it, the version still serves.
    if (container.kind === 'instance' && !memberAt(document, container.part)) continue;
    const reason = await startFailure(machine, container, waitedMs);
    if (reason !== null) return { kind: 'broken', doing, version, reason, terminal: true, view };
  }
  const isBusy = waits.some(({ waitedMs }) => waitedMs <= busyMs);
  if (isBusy) return { kind: 'busy', doing, version, lookAgainMs: waitingLookMs, view };
  return { kind: 'unfinished', doing, version, view };
}

/** Containers of the document that are not ready: services, and instances that never served. */
function pendingContainers(document: DockerDocument, { containers }: ObservedStack): StackContainer[] {
  const hashes = new Set([...document.fleets, ...document.services].map(({ hash }) => hash));
  return containers.filter(({ kind, hash, ready, phase }) => {
    if (!hashes.has(hash) || kind === 'app' || kind === 'balancer') return false;
    return kind === 'instance' ? phase.kind === 'starting' : !ready;
  });
}

/**
 * How long a container has been observed as not ready. Its age is not a measure: after a reboot of the machine an old
 * container needs as long as a new one, and a restart of Almanac clears `seenReady`.
 */
function waitedFor({ tools, notReadySince }: Machine, id: string): number {
  const now = tools.clock.now();
  const since = notReadySince.get(id) ?? now;
  if (notReadySince.size >= maxCached) notReadySince.clear();
  notReadySince.set(id, since);
  return now - since;
}

/** Why a container will not become ready; null: it still may. One that was ready before may: the engine restarts it. */
async function startFailure(
  { engine, seenReady, tools }: Machine,
  { id, name, createdAt }: StackContainer,
  waitedMs: number,
): Promise<string | null> {
  if (seenReady.has(id)) return null;
  const restarts = (await engine.containers.inspect(id))?.restartCount ?? 0;
  const isNew = tools.clock.now() - createdAt < restartWindowMs;
  const subject = `Container ${shortId(id)} (${instanceStem(name)})`;
  if (isNew && restarts >= maxRestarts)
    return `${subject} exited ${restarts} times. ${await lastLogLines(engine, id)}`;
  if (waitedMs < readyTimeoutMs) return null;
  return `${subject} is not ready after ${Math.round(waitedMs / 60_000)} minutes. ${await lastLogLines(engine, id)}`;
}

async function lastLogLines(engine: Engine, id: string): Promise<string> {
  const lines = (await engine.containers.logs(id, 5)).trim();
  return lines === '' ? 'Its log is empty.' : `Last log lines: ${lines}`;
}
