import { platformVariables } from '../model/platform-variables.ts';
import { isComplete, isDeleted, isInProgress, type StackStatus, statusOf } from '../model/status.ts';
import { deleteAccessTokensOf } from '../store/access/accounts.ts';
import type { Query } from '../store/database/database.ts';
import { insertDuration } from '../store/stacks/durations.ts';
import { addEvents, type NewEvent } from '../store/stacks/events.ts';
import { bumpLayers } from '../store/stacks/layer-revisions.ts';
import { deleteReplacementsOf } from '../store/stacks/replacements.ts';
import { type Claim, endPass, type Facts, type PassEnd, type Verdict } from '../store/stacks/schedule.ts';
import { type Answer, emptyView, type Observation, type StackView } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import { noteReplacing, type Replacing } from './replacements.ts';
import { intentKey, type ReconcileTools } from './tools.ts';

interface Pass {
  observation: Observation;
  decision: Decision;
  answer: Answer;
  replacing: Replacing;
}

/** A version reached in passing counts only while there is no other to go back to: a cancelled one must not come again. */
function settledVersion(claim: Claim, observation: Observation): string | null {
  if (observation.kind !== 'settled') return claim.settled_version;
  const counts = observation.version === claim.desired_version || claim.settled_version === null;
  return counts ? observation.version : claim.settled_version;
}

function factsOf(claim: Claim, { observation, decision, answer }: Pass): Facts {
  const reached = observation.kind !== 'unreachable';
  const stepped = decision.step === 'apply' || decision.step === 'remove';
  const { events: _, ...view } = reached ? observation.view : emptyView;
  return {
    view: reached ? JSON.stringify(view) : claim.view,
    settled_version: settledVersion(claim, observation),
    tried_wish: stepped && answer.accepted ? intentKey(claim) : claim.tried_wish,
    refused_wish: answer.accepted ? claim.refused_wish : intentKey(claim),
    refused_reason: answer.accepted ? claim.refused_reason : answer.reason,
    troubles: reached ? 0 : claim.troubles + 1,
  };
}

/** While an instance is being replaced, what becomes of it is told in time. */
const soon = (lookAgainMs: number | null): number => Math.min(lookAgainMs ?? Infinity, 2_000);

function verdictOf(claim: Claim, { decision, answer, replacing }: Pass, now: number): Verdict {
  const phase = answer.accepted ? decision.phase : 'FAILED';
  const status: StackStatus = phase === 'unchanged' ? claim.status : statusOf(claim.operation, phase);
  const reason = answer.accepted ? decision.reason : answer.reason;
  const lookAgainMs = replacing.waiting ? soon(decision.lookAgainMs) : decision.lookAgainMs;
  return {
    status,
    status_reason: reason,
    updated_at: status === claim.status ? claim.updated_at : now,
    deleted_at: isDeleted(status) ? now : null,
    next_at: lookAgainMs === null ? null : now + lookAgainMs,
  };
}

/** The vendor's own words first, then what they mean for the stack. */
function eventsOf(claim: Claim, pass: Pass, facts: Facts, verdict: Verdict, now: number): NewEvent[] {
  const { observation, decision, answer } = pass;
  const versionId = claim.desired_version;
  const events: NewEvent[] = [];
  if (observation.kind !== 'unreachable')
    for (const { id, at, resource, resourceType, state, message } of observation.view.events)
      events.push({
        at,
        kind: 'resource',
        resource,
        resourceType,
        status: state,
        message,
        versionId,
        vendorEventId: id,
      });
  if (claim.troubles === 0 && facts.troubles === 1)
    events.push({ at: now, kind: 'trouble', message: verdict.status_reason, versionId });
  if (claim.troubles > 0 && facts.troubles === 0)
    events.push({ at: now, kind: 'trouble', message: 'The vendor can be reached again.', versionId });
  const goesOn = observation.kind === 'unfinished' && answer.accepted;
  if ((decision.step === 'apply' || decision.step === 'remove') && facts.troubles === 0 && !goesOn)
    events.push({ at: now, kind: 'step', message: stepSentence(decision.step, answer), versionId });
  events.push(...pass.replacing.events);
  if (verdict.status !== claim.status)
    events.push({
      at: now,
      kind: 'status',
      status: verdict.status,
      message: statusSentence(verdict),
      versionId,
    });
  return events;
}

const statusSentence = ({ status, status_reason: reason }: Verdict): string =>
  reason ||
  (isDeleted(status)
    ? 'Nothing is left.'
    : isComplete(status)
      ? 'Everything asked for is there.'
      : 'Under way.');

const stepSentence = (step: 'apply' | 'remove', answer: Answer): string => {
  const asked = step === 'apply' ? 'apply this version' : 'remove the stack';
  return answer.accepted
    ? `The vendor was asked to ${asked}.`
    : `The vendor refused to ${asked}: ${answer.reason}`;
};

/** Containers are told where databases and caches are: once there is news of that, agents deploy them anew. */
async function noteEndpoints(query: Query, claim: Claim, facts: Facts, now: number): Promise<void> {
  const before = endpointsIn(claim.view);
  const news = Object.entries(endpointsIn(facts.view)).some(([name, value]) => before[name] !== value);
  if (news) await bumpLayers(query, claim.id, now);
}

const endpointsIn = (view: string): Record<string, string> =>
  platformVariables((JSON.parse(view) as Pick<StackView, 'outputs'>).outputs);

/** What else follows from a change of status. */
async function noteTurningPoint(query: Query, claim: Claim, status: StackStatus, now: number): Promise<void> {
  if (isInProgress(claim.status) && isComplete(status)) await insertDuration(query, claim, now);
  if (!isDeleted(status)) return;
  await deleteAccessTokensOf(query, claim.id);
  await deleteReplacementsOf(query, claim.id);
}

/** Writes down what a pass found, in one transaction, and tells who listens. */
export async function noteDown(tools: ReconcileTools, claim: Claim, pass: Pass): Promise<PassEnd> {
  const now = tools.clock.now();
  const facts = factsOf(claim, pass);
  const verdict = verdictOf(claim, pass, now);
  const events = eventsOf(claim, pass, facts, verdict, now);
  const { end, noted } = await tools.database.transaction(async (query: Query) => {
    const ended = await endPass(query, claim, facts, verdict, now);
    if (ended === 'fenced') return { end: ended, noted: 0 };
    const fresh = ended === 'noted' ? events : events.filter((event) => event.kind !== 'status');
    await noteReplacing(query, claim, pass.replacing, now);
    await noteEndpoints(query, claim, facts, now);
    if (ended === 'noted') await noteTurningPoint(query, claim, verdict.status, now);
    return { end: ended, noted: await addEvents(query, claim.id, fresh) };
  });
  if (noted > 0) await tools.database.notify('stack-event', claim.id);
  return end;
}
