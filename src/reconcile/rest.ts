import { createHash } from 'node:crypto';
import type { Database, Query } from '../store/database/database.ts';
import { joinSweep } from '../store/stacks/schedule/sweeps.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import type { Survey } from '../vendors/vendor.ts';
import type { Pass } from './pass.ts';

/** A stack rests if it is complete, nothing is expected to change, and its vendor surveys many stacks at once. */
export function restingWith(claim: Claim, pass: Pass): Survey | undefined {
  const { observation, decision, answer, replacing, reporting, survey, application } = pass;
  if (claim.operation === 'DELETE' || observation.kind !== 'settled') return undefined;
  if (observation.lookAgainMs !== undefined || replacing.waiting) return undefined;
  if (application?.rollouts.some(({ state }) => state === 'rolling')) return undefined;
  if (reporting.lookAgainMs !== null || reporting.problem !== '') return undefined;
  const isDone = decision.step === 'nothing' && decision.phase === 'COMPLETE' && answer.accepted;
  return isDone ? survey : undefined;
}

/** Spread, so that stacks that came to rest together are not looked at together. The same for a stack every time. */
export function lookAloneAfter({ aloneMs }: Survey, { id }: Claim): number {
  const share = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
  return Math.round((aloneMs * (1 + share)) / 2);
}

/**
 * What `stacks.swept` becomes: what this pass saw, if the vendor can say it, so that a sweep notices whatever differs from what is
 * recorded, also if the pass saw something in passing or older than the sweep. Otherwise what the last sweep wrote: see `wakeSwept`.
 */
export function sweptAfter(claim: Claim, pass: Pass): string | null {
  const survey = restingWith(claim, pass);
  return survey ? (survey.textOf?.(pass.observation) ?? claim.swept ?? '') : null;
}

/** Call it in the transaction that records the pass. */
export async function recordRest(
  database: Database,
  query: Query,
  { claim, pass, now }: { claim: Claim; pass: Pass; now: number },
): Promise<void> {
  const survey = restingWith(claim, pass);
  if (survey && claim.swept === null)
    await joinSweep(database, query, { place: claim, nextAt: now + survey.everyMs });
}
