import { hasNewStores, recordStores, storesSeen } from '../data/ledger.ts';
import { platformVariables } from '../model/platform-variables.ts';
import { isComplete, isDeleted, isInProgress, type StackStatus, statusOf } from '../model/status.ts';
import { deleteAccessTokensOf } from '../store/access/accounts.ts';
import type { Query } from '../store/database/database.ts';
import { deleteStackKeysOf } from '../store/ssh/stack-keys.ts';
import { insertDuration } from '../store/stacks/durations.ts';
import type { NewEvent } from '../store/stacks/events.ts';
import { bumpLayers } from '../store/stacks/layer-revisions.ts';
import { deleteReplacementsOf } from '../store/stacks/replacements.ts';
import { hasServed } from '../store/stacks/rollouts.ts';
import { type Claim, endPass, type Facts, type PassEnd, type Verdict } from '../store/stacks/schedule.ts';
import { findVersion } from '../store/stacks/versions.ts';
import { type Answer, type Observation, targetOf } from '../vendors/vendor.ts';
import { recordSeenApplication } from './application.ts';
import { type Decision, rejectedCredential } from './decide.ts';
import type { Pass } from './pass.ts';
import { addLater, newEvents } from './record-events.ts';
import { hadInternalError } from './record-failed-pass.ts';
import { recordReplacing } from './replacements.ts';
import { lookAloneAfter, recordRest, restingWith, sweptAfter } from './rest.ts';
import { intentKey, type ReconcileTools } from './tools.ts';
import { undoingEvents, undoingFacts } from './undoing.ts';

/**
 * A version that the vendor completed is the last complete one, also if a newer one was requested in the meantime. A cancelled one
 * counts only if there is no other to go back to: it must not return.
 */
async function settledVersion(
  query: Query,
  { id, settled_version: settled, desired_version: desired }: Claim,
  { observation, waits }: Pass,
): Promise<string | null> {
  if (observation.kind !== 'settled' || observation.version === settled) return settled;
  if (waits) return settled;
  const { version } = observation;
  if (version === desired) return version;
  if (!(await hasServed(query, id, version))) return settled;
  if (settled === null) return version;
  const reached = await findVersion(query, id, version);
  return reached && reached.cancelled_at === null ? version : settled;
}

type Refusal = Pick<Facts, 'refused_wish' | 'refused_reason'>;

/** A refusal counts until the vendor accepts a step. */
function refusalOf(claim: Claim, { decision, answer }: Pass): Refusal {
  if (!answer.accepted) return { refused_wish: intentKey(claim), refused_reason: answer.reason };
  if (isStep(decision)) return { refused_wish: '', refused_reason: '' };
  return { refused_wish: claim.refused_wish, refused_reason: claim.refused_reason };
}

const isStep = ({ step }: Decision): boolean => step === 'apply' || step === 'remove';

const hasBegun = (answer: Answer): boolean => answer.accepted && answer.begun !== false;

/** Also if the answer to the request was lost, and the vendor shows the version. */
function triedWish(claim: Claim, { observation, decision, answer }: Pass): string {
  const isShown = 'version' in observation && targetOf(observation.version) === intentKey(claim);
  return isShown || (isStep(decision) && hasBegun(answer)) ? intentKey(claim) : claim.tried_wish;
}

function viewOf(claim: Claim, observation: Observation): Facts['view'] {
  if (observation.kind === 'unreachable') return claim.view;
  const { events: _, ...view } = observation.view;
  return { ...view, stores: storesSeen(claim, observation) };
}

async function factsOf({ database }: ReconcileTools, claim: Claim, pass: Pass): Promise<Facts> {
  const { observation, reporting } = pass;
  const reached = observation.kind !== 'unreachable';
  return {
    view: viewOf(claim, observation),
    settled_version: await settledVersion(database.query, claim, pass),
    tried_wish: triedWish(claim, pass),
    ...refusalOf(claim, pass),
    troubles: reached && !reporting.problem ? 0 : claim.troubles + 1,
    ...undoingFacts(claim, observation),
  };
}

/** The progress of a replacement must show soon. */
const replacingMs = 2_000;

/** Until the vendor hears of servers that are up, nothing else changes. */
function lookAgainAfter({ decision, replacing, reporting }: Pass): number | null {
  if (reporting.problem) return reporting.lookAgainMs;
  const times = [decision.lookAgainMs, reporting.lookAgainMs, replacing.waiting ? replacingMs : null];
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** During and after a deletion, the reason says what happens to the data. */
const noteOf = ({ operation, data_note: note }: Claim): string => (operation === 'DELETE' ? note : '');

function verdictOf(claim: Claim, pass: Pass, now: number): Verdict {
  const { decision, answer, reporting } = pass;
  const phase = answer.accepted ? decision.phase : 'FAILED';
  const status: StackStatus = phase === 'unchanged' ? claim.status : statusOf(claim.operation, phase);
  const reason = (answer.accepted ? decision.reason : answer.reason) || noteOf(claim) || reporting.problem;
  const resting = restingWith(claim, pass);
  const lookAgainMs = resting ? lookAloneAfter(resting, claim) : lookAgainAfter(pass);
  return {
    status,
    status_reason: reason,
    updated_at: status === claim.status ? claim.updated_at : now,
    deleted_at: isDeleted(status) ? now : null,
    next_at: lookAgainMs === null ? null : now + lookAgainMs,
    swept: sweptAfter(claim, pass),
  };
}

/** Everything that is written about a pass. */
interface PassRecord {
  facts: Facts;
  verdict: Verdict;
  now: number;
}

/** They belong to the version that the vendor worked on, whatever was requested in the meantime. */
function vendorEvents(claim: Claim, { observation }: Pass): NewEvent[] {
  if (observation.kind === 'unreachable') return [];
  const working = 'version' in observation ? targetOf(observation.version) : '';
  return observation.view.events.map(
    ({ id, at, resource, resourceType, physicalId, state, message, version }) => ({
      at,
      kind: 'resource',
      resource,
      resourceType,
      status: state,
      message,
      versionId: targetOf(version ?? '') || working || claim.desired_version,
      vendorEventId: id,
      physicalId,
    }),
  );
}

/** Undefined: whether the vendor can be reached is as it was before. */
function outageMessage(
  claim: Claim,
  { reporting }: Pass,
  { facts, verdict }: PassRecord,
): string | undefined {
  const wasInternal = hadInternalError(claim);
  const wasUnreachable = claim.troubles > 0 && !wasInternal;
  const isUnreachable = facts.troubles > 0;
  if (isUnreachable) return wasUnreachable ? undefined : reporting.problem || verdict.status_reason;
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
  const events = vendorEvents(claim, pass);
  events.push(...undoingEvents(claim, observation, { undoing: facts.undoing, now }));
  const outage = outageMessage(claim, pass, record);
  if (outage !== undefined) events.push({ at: now, kind: 'trouble', message: outage, versionId });
  const reached = observation.kind !== 'unreachable';
  const continues = observation.kind === 'unfinished' && answer.accepted;
  const isNews = !isKnownRefusal(claim, answer) && !isWaiting(answer);
  if (isStep(decision) && reached && !continues && isNews)
    events.push({ at: now, kind: 'step', message: stepMessage(decision, answer), versionId });
  events.push(...pass.replacing.events);
  const { status } = verdict;
  if (status !== claim.status)
    events.push({ at: now, kind: 'status', status, message: statusMessage(verdict, pass), versionId });
  return events;
}

/** The vendor was asked for nothing. */
const isWaiting = (answer: Answer): boolean => answer.accepted && !answer.note && !hasBegun(answer);

/** A vendor that is asked again and refuses for the same reason gives no news. */
const isKnownRefusal = (claim: Claim, answer: Answer): boolean =>
  !answer.accepted && claim.refused_wish === intentKey(claim) && claim.refused_reason === answer.reason;

function statusMessage({ status, status_reason }: Verdict, { reporting }: Pass): string {
  const reason = status_reason === reporting.problem ? '' : status_reason;
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

async function recordData(
  query: Query,
  claim: Claim,
  { pass: { observation, kept }, now }: { pass: Pass; now: number },
): Promise<void> {
  if (observation.kind === 'unreachable' || !hasNewStores(claim, observation)) return;
  await recordStores(query, { stack: claim, observation, intent: intentKey(claim), kept, now });
}

async function recordTransition(query: Query, claim: Claim, { verdict, now }: PassRecord): Promise<void> {
  const { status } = verdict;
  if (isInProgress(claim.status) && isComplete(status)) await insertDuration(query, claim, now);
  if (!isDeleted(status)) return;
  await deleteAccessTokensOf(query, claim.id);
  await deleteReplacementsOf(query, claim.id);
  await deleteStackKeysOf(query, claim.id);
}

/** Records the result of a pass in one transaction and notifies listeners. */
export async function recordPass(tools: ReconcileTools, claim: Claim, pass: Pass): Promise<PassEnd> {
  const now = tools.clock.now();
  const record = { facts: await factsOf(tools, claim, pass), verdict: verdictOf(claim, pass, now), now };
  const events = eventsOf(claim, pass, record);
  const { end, recorded } = await tools.database.transaction(async (query: Query) => {
    const fresh = await newEvents(query, claim, { events, now });
    const ended = await endPass(query, claim, { ...record, events: fresh ?? [] });
    if (ended === 'fenced') return { end: ended, recorded: 0 };
    await recordReplacing(query, { stackId: claim.id, now }, pass.replacing);
    await recordData(query, claim, { pass, now });
    if (pass.application) await recordSeenApplication(query, claim, { pass, now });
    await recordEndpoints(query, claim, record);
    if (ended === 'noted') {
      await recordTransition(query, claim, record);
      await recordRest(tools.database, query, { claim, pass, now });
    }
    if (ended === 'noted' && fresh) return { end: ended, recorded: fresh.length };
    const left = ended === 'noted' ? events : events.filter((event) => event.kind !== 'status');
    return { end: ended, recorded: await addLater(query, claim, { events: left, now }) };
  });
  if (recorded > 0) await tools.database.notify('stack-event', claim.id);
  return end;
}
