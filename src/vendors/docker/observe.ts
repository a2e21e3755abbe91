import { EngineUnreachable } from '../../docker-engine/errors.ts';
import { emptyView, type Observation, type StackView } from '../vendor.ts';
import type { DockerDocument } from './document.ts';
import { missingImages } from './images.ts';
import { look } from './look.ts';
import { instanceStem, shortId } from './names.ts';
import { isSettled, nextWave } from './plan.ts';
import { isEmpty, type Marker, type Running, type Standing } from './running.ts';
import type { Machine } from './tools.ts';
import { viewOf } from './view.ts';

/** So that one that was killed is soon missed. */
const settledLookMs = 5_000;
const waitingLookMs = 400;
/** Who waits longer can be asked for something else meanwhile. */
const shortWaitMs = 20_000;
/** An image may have to come over a slow line first. */
const patienceMs = 10 * 60_000;
const tooManyRestarts = 4;

export async function observe(machine: Machine, stackId: string): Promise<Observation> {
  try {
    return await observation(machine, stackId);
  } catch (error) {
    if (error instanceof EngineUnreachable) return { kind: 'unreachable', reason: error.message };
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
  if (isSettled(document, running)) return { kind: 'settled', version, lookAgainMs: settledLookMs, view };
  return whileWaiting(machine, newest, running, view);
}

async function whileWaiting(
  machine: Machine,
  { doing, version, document }: Marker,
  running: Running,
  view: StackView,
): Promise<Observation> {
  const late = awaited(document, running);
  for (const standing of late) {
    const reason = await whyHopeless(machine, standing);
    if (reason !== null) return { kind: 'broken', doing, version, reason, terminal: true, view };
  }
  const now = machine.tools.clock.now();
  const isShort = late.some(({ createdAt }) => now - createdAt <= shortWaitMs);
  if (isShort) return { kind: 'busy', doing, version, lookAgainMs: waitingLookMs, view };
  return { kind: 'unfinished', doing, version, view };
}

/** Those of the wanted ones that have never worked yet. */
function awaited(document: DockerDocument, { containers }: Running): Standing[] {
  const hashes = new Set([...document.fleets, ...document.services].map(({ hash }) => hash));
  return containers.filter(({ kind, hash, ready, phase }) => {
    if (!hashes.has(hash) || kind === 'app' || kind === 'balancer') return false;
    return kind === 'instance' ? phase.kind === 'starting' : !ready;
  });
}

/** Null: it may still become ready. */
async function whyHopeless(machine: Machine, standing: Standing): Promise<string | null> {
  const { id, name, createdAt } = standing;
  const details = await machine.engine.containers.inspect(id);
  const restarts = details?.restartCount ?? 0;
  const waited = machine.tools.clock.now() - createdAt;
  const what = `Container ${shortId(id)} (${instanceStem(name)})`;
  if (restarts >= tooManyRestarts) return `${what} ended ${restarts} times. ${await lastWords(machine, id)}`;
  if (waited < patienceMs) return null;
  return `${what} is not ready after ${Math.round(waited / 60_000)} minutes. ${await lastWords(machine, id)}`;
}

async function lastWords({ engine }: Machine, id: string): Promise<string> {
  const lines = (await engine.containers.logs(id, 5)).trim();
  return lines === '' ? 'It wrote nothing.' : `It last wrote: ${lines}`;
}
