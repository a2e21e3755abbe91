import { platformVariables } from '../model/platform-variables.ts';
import { isComplete, isDeleted, isInProgress, type StackStatus, statusOf } from '../model/status.ts';
import { deleteAccessTokensOf } from '../store/access/accounts.ts';
import type { Query } from '../store/database/database.ts';
import { insertDuration } from '../store/stacks/durations.ts';
import { addEvents, type NewEvent } from '../store/stacks/events.ts';
import { bumpLayers } from '../store/stacks/layer-revisions.ts';
import { deleteReplacementsOf } from '../store/stacks/replacements.ts';
import { type Claim, endPass, type Facts, type PassEnd, type Verdict } from '../store/stacks/schedule.ts';
import { type Answer, emptyView, type Observation } from '../vendors/vendor.ts';
import { type Decision, rejectedCredential } from './decide.ts';
import { hadInternalError } from './record-failed-pass.ts';
import { type Replacing, recordReplacing } from './replacements.ts';
import { intentKey, type ReconcileTools } from './tools.ts';

export interface Pass {
  observation: Observation;
  decision: Decision;
  answer: Answer;
  replacing: Replacing;
}

/** A version reached in passing counts only if there is no other to go back to: a cancelled version must not return. */
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
    view: reached ? view : claim.view,
    settled_version: settledVersion(claim, observation),
    tried_wish: stepped && answer.accepted ? intentKey(claim) : claim.tried_wish,
    refused_wish: answer.accepted ? claim.refused_wish : intentKey(claim),
    refused_reason: answer.accepted ? claim.refused_reason : answer.reason,
    troubles: reached ? 0 : claim.troubles + 1,
  };
}

/** During the replacement of an instance, its progress must show soon. */
const soon = (lookAgainMs: number | null): number => Math.min(lookAgainMs ?? Infinity, 2_000);

/** During and after a deletion, the reason says what happens to the data. */
const noteOf = ({ operation, data_note: note }: Claim): string => (operation === 'DELETE' ? note : '');

function verdictOf(claim: Claim, { decision, answer, replacing }: Pass, now: number): Verdict {
  const phase = answer.accepted ? decision.phase : 'FAILED';
  const status: StackStatus = phase === 'unchanged' ? claim.status : statusOf(claim.operation, phase);
  const reason = (answer.accepted ? decision.reason : answer.reason) || noteOf(claim);
  const lookAgainMs = replacing.waiting ? soon(decision.lookAgainMs) : decision.lookAgainMs;
  return {
    status,
    status_reason: reason,
    updated_at: status === claim.status ? claim.updated_at : now,
    deleted_at: isDeleted(status) ? now : null,
    next_at: lookAgainMs === null ? null : now + lookAgainMs,
  };
}

/** Everything that is written about a pass. */
interface PassRecord {
  facts: Facts;
  verdict: Verdict;
  now: number;
}

const vendorEvents = ({ observation }: Pass, versionId: string): NewEvent[] =>
  observation.kind === 'unreachable'
    ? []
    : observation.view.events.map(({ id, at, resource, resourceType, physicalId, state, message }) => ({
        at,
        kind: 'resource',
        resource,
        resourceType,
        status: state,
        message,
        versionId,
        vendorEventId: id,
        physicalId,
      }));

/** Undefined: whether the vendor can be reached is as it was before. */
function outageMessage(claim: Claim, { facts, verdict }: PassRecord): string | undefined {
  const wasInternal = hadInternalError(claim);
  const wasUnreachable = claim.troubles > 0 && !wasInternal;
  const isUnreachable = facts.troubles > 0;
  if (isUnreachable) return wasUnreachable ? undefined : verdict.status_reason;
  if (wasInternal) return 'The internal error no longer occurs.';
  if (!wasUnreachable) return undefined;
  return claim.status_reason.startsWith(rejectedCredential)
    ? 'The vendor accepts the credential again.'
    : 'The vendor can be reached again.';
}

/** The vendor's events first, then what they mean for the stack. */
function eventsOf(claim: Claim, pass: Pass, record: PassRecord): NewEvent[] {
  const { observation, decision, answer } = pass;
  const { facts, verdict, now } = record;
  const versionId = claim.desired_version;
  const events = vendorEvents(pass, versionId);
  const outage = outageMessage(claim, record);
  if (outage !== undefined) events.push({ at: now, kind: 'trouble', message: outage, versionId });
  const continues = observation.kind === 'unfinished' && answer.accepted;
  if ((decision.step === 'apply' || decision.step === 'remove') && facts.troubles === 0 && !continues)
    events.push({ at: now, kind: 'step', message: stepMessage(decision, answer), versionId });
  events.push(...pass.replacing.events);
  const { status } = verdict;
  if (status !== claim.status)
    events.push({ at: now, kind: 'status', status, message: statusMessage(verdict), versionId });
  return events;
}

function statusMessage({ status, status_reason: reason }: Verdict): string {
  if (isDeleted(status)) return `All resources are deleted. ${reason}`.trim();
  if (reason) return reason;
  return isComplete(status) ? 'All requested resources are ready.' : 'In progress.';
}

const stepMessage = ({ step, note }: Decision, answer: Answer): string => {
  const action = step === 'apply' ? 'apply this version' : 'remove the stack';
  return answer.accepted
    ? `The vendor was asked to ${action}. ${note ?? answer.note ?? ''}`.trim()
    : `The vendor refused to ${action}: ${answer.reason}`;
};

/** Containers get the addresses of databases and caches: when those change, agents deploy the containers again. */
async function recordEndpoints(query: Query, claim: Claim, { facts, now }: PassRecord): Promise<void> {
  const before = platformVariables(claim.view.outputs);
  const after = platformVariables(facts.view.outputs);
  const changed = Object.entries(after).some(([name, value]) => before[name] !== value);
  if (changed) await bumpLayers(query, claim.id, now);
}

async function recordTransition(query: Query, claim: Claim, { verdict, now }: PassRecord): Promise<void> {
  const { status } = verdict;
  if (isInProgress(claim.status) && isComplete(status)) await insertDuration(query, claim, now);
  if (!isDeleted(status)) return;
  await deleteAccessTokensOf(query, claim.id);
  await deleteReplacementsOf(query, claim.id);
}

/** Records the result of a pass in one transaction and notifies listeners. */
export async function recordPass(tools: ReconcileTools, claim: Claim, pass: Pass): Promise<PassEnd> {
  const now = tools.clock.now();
  const record = { facts: factsOf(claim, pass), verdict: verdictOf(claim, pass, now), now };
  const events = eventsOf(claim, pass, record);
  const { end, recorded } = await tools.database.transaction(async (query: Query) => {
    const ended = await endPass(query, claim, record);
    if (ended === 'fenced') return { end: ended, recorded: 0 };
    const fresh = ended === 'noted' ? events : events.filter((event) => event.kind !== 'status');
    await recordReplacing(query, { stackId: claim.id, now }, pass.replacing);
    await recordEndpoints(query, claim, record);
    if (ended === 'noted') await recordTransition(query, claim, record);
    return { end: ended, recorded: await addEvents(query, claim.id, fresh) };
  });
  if (recorded > 0) await tools.database.notify('stack-event', claim.id);
  return end;
}
