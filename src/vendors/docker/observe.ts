import { isEngineFailure } from '../../docker-engine/errors.ts';
import type { Engine } from '../../docker-engine/types.ts';
import { emptyView, type Observation, type StackView } from '../vendor.ts';
import type { DockerDocument } from './document.ts';
import { instanceStem, shortId } from './names.ts';
import { missingImages } from './observe/images.ts';
import { look } from './observe/look.ts';
import { viewOf } from './observe/view.ts';
import { isSettled, nextWave } from './plan/plan.ts';
import { isEmpty, type Marker, type Running, type Standing } from './running.ts';
import type { Machine } from './tools.ts';

/** So that one that was killed is soon missed. */
const settledLookMs = 5_000;
const waitingLookMs = 400;
/** Who waits longer can be asked for something else meanwhile. */
const shortWaitMs = 20_000;
/** An image may have to come over a slow line first. */
const patienceMs = 10 * 60_000;
const tooManyRestarts = 4;
/** Later on, restarts are those of a long life: the machine's, or an operator's. */
const youthMs = 10 * 60_000;
const maxRemembered = 10_000;

export async function observe(machine: Machine, stackId: string): Promise<Observation> {
  try {
    return await observation(machine, stackId);
  } catch (error) {
    if (isEngineFailure(error)) return { kind: 'unreachable', reason: error.message };
    throw error;
  }
}

async function observation(machine: Machine, stackId: string): Promise<Observation> {
  const running = await look(machine, stackId);
  if (isEmpty(running)) return { kind: 'absent', view: emptyView };
  const [newest] = running.markers;
  const view = viewOf(stackId, running);
  // Somebody took the word of what is wanted away; whoever applies or removes next brings it back.
  if (!newest) return { kind: 'unfinished', doing: 'remove', version: '', view };
  const { doing, version, document } = newest;
  if (doing === 'remove') return { kind: 'unfinished', doing, version, view };
  const steps = nextWave(stackId, document, running);
  if (steps.length > 0) {
    const missing = steps.some((step) => step.do === 'create')
      ? await missingImages(machine, document)
      : null;
    if (missing) return { kind: 'broken', doing, version, reason: missing, terminal: true, view };
    return { kind: 'unfinished', doing, version, view };
  }
  if (isSettled(document, running)) {
    for (const { id } of running.containers) machine.notReadySince.delete(id);
    return { kind: 'settled', version, lookAgainMs: settledLookMs, view };
  }
  return whileWaiting(machine, newest, running, view);
}

async function whileWaiting(
  machine: Machine,
  { doing, version, document }: Marker,
  running: Running,
  view: StackView,
): Promise<Observation> {
  const late = awaited(document, running).map((standing) => ({
    standing,
    waited: waitedFor(machine, standing.id),
  }));
  for (const { standing, waited } of late) {
    const reason = await whyHopeless(machine, standing, waited);
    if (reason !== null) return { kind: 'broken', doing, version, reason, terminal: true, view };
  }
  const isShort = late.some(({ waited }) => waited <= shortWaitMs);
  if (isShort) return { kind: 'busy', doing, version, lookAgainMs: waitingLookMs, view };
  return { kind: 'unfinished', doing, version, view };
}

/** Those of the wanted ones that do not work: instances that never did yet, and services. */
function awaited(document: DockerDocument, { containers }: Running): Standing[] {
  const hashes = new Set([...document.fleets, ...document.services].map(({ hash }) => hash));
  return containers.filter(({ kind, hash, ready, phase }) => {
    if (!hashes.has(hash) || kind === 'app' || kind === 'balancer') return false;
    return kind === 'instance' ? phase.kind === 'starting' : !ready;
  });
}

/**
 * How long it has been looked at in vain. Its age says nothing: after a restart of the machine an old one needs its time
 * like a new one, and a restart of Almanac forgets what was seen ready.
 */
function waitedFor({ tools, notReadySince }: Machine, id: string): number {
  const now = tools.clock.now();
  const since = notReadySince.get(id) ?? now;
  if (notReadySince.size >= maxRemembered) notReadySince.clear();
  notReadySince.set(id, since);
  return now - since;
}

/** Null: it may still become ready. What worked once is not given up: the engine starts it again. */
async function whyHopeless(
  { engine, seenReady, tools }: Machine,
  { id, name, createdAt }: Standing,
  waited: number,
): Promise<string | null> {
  if (seenReady.has(id)) return null;
  const restarts = (await engine.containers.inspect(id))?.restartCount ?? 0;
  const isYoung = tools.clock.now() - createdAt < youthMs;
  const what = `Container ${shortId(id)} (${instanceStem(name)})`;
  if (isYoung && restarts >= tooManyRestarts)
    return `${what} ended ${restarts} times. ${await lastWords(engine, id)}`;
  if (waited < patienceMs) return null;
  return `${what} is not ready after ${Math.round(waited / 60_000)} minutes. ${await lastWords(engine, id)}`;
}

async function lastWords(engine: Engine, id: string): Promise<string> {
  const lines = (await engine.containers.logs(id, 5)).trim();
  return lines === '' ? 'It wrote nothing.' : `It last wrote: ${lines}`;
}
