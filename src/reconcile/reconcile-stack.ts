import { isComplete } from '../model/status.ts';
import type { Claim, PassEnd } from '../store/stacks/schedule.ts';
import { readDesiredVersion } from '../store/stacks/versions.ts';
import type { Release } from '../vendors/data.ts';
import {
  type Answer,
  accepted,
  CredentialRejected,
  type Driver,
  stackOnVendor,
  Unreachable,
} from '../vendors/vendor.ts';
import { awaitsEndpoints, type Judgement, judgeStatus, lookAtApplication } from './application.ts';
import { type Decision, type Desired, decide } from './decide.ts';
import { guardStep, readKept } from './guard-step.ts';
import { failIfServersMiss } from './missing-servers.ts';
import type { Pass } from './pass.ts';
import { recordPass } from './record-pass.ts';
import { nothingReplaced, replaceNoticed } from './replacements.ts';
import { nothingReported, reportServersUp } from './report-up.ts';
import { intentKey, type ReconcileTools } from './tools.ts';

const desiredOf = (stack: Claim): Desired => ({
  operation: stack.operation,
  version: stack.desired_version,
  settledVersion: stack.settled_version,
  tried: stack.tried_wish === intentKey(stack),
  refusal: stack.refused_wish === intentKey(stack) ? stack.refused_reason : null,
  failures: stack.troubles,
  cancelled:
    stack.cancelled_version === null
      ? null
      : { version: stack.cancelled_version, losses: stack.cancelled_data },
});

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

async function takeStep(
  { tools, claim, driver }: Work,
  { step }: Decision,
  releases: readonly Release[],
): Promise<Answer> {
  const stack = stackOnVendor(claim);
  if (step === 'remove') return driver.remove(stack, { releases, intent: intentKey(claim) });
  if (step === 'cancel') {
    // Too late: the next observation shows it.
    await driver.cancelUpdate(stack, claim.cancelled_version ?? '');
    return accepted;
  }
  if (step !== 'apply') return accepted;
  const desired = await readDesiredVersion(tools.database.query, claim);
  const { id: version, vendor_document: document } = desired;
  const { skip_resources: skipResources } = desired;
  const secrets = await tools.secretsOf(claim);
  return driver.apply(stack, { document, version, skipResources, releases, ...secrets });
}

const becomesComplete = ({ operation, status }: Claim, { step, phase }: Decision): boolean =>
  operation !== 'DELETE' && step === 'nothing' && phase === 'COMPLETE' && !isComplete(status);

async function workOn(tools: ReconcileTools, claim: Claim): Promise<Pass> {
  const driver = await tools.connect(claim);
  const work = { tools, claim, driver };
  const observation = await driver.observe(stackOnVendor(claim));
  const decided = decide(desiredOf(claim), observation);
  const wanted = await failIfServersMiss(tools, claim, { observation, decision: decided });
  const kept = observation.kind === 'unreachable' ? [] : await readKept(work, observation);
  const { decision, releases } =
    observation.kind === 'unreachable'
      ? { decision: wanted, releases: [] }
      : await guardStep(work, { observation, decision: wanted }, kept);
  const answer = await takeStep(work, decision, releases);
  if (becomesComplete(claim, decision)) await tools.beforeComplete(claim, driver);
  const replacing = await replaceNoticed(work, { observation, decision });
  const reporting = await reportServersUp(work, observation);
  const judgement = await judge(work, { observation, decision });
  return { observation, answer, replacing, reporting, kept, survey: driver.survey, ...judgement };
}

/** The status of the stack, as far as its application decides it. */
async function judge(
  work: Work,
  { observation, decision }: Pick<Pass, 'observation' | 'decision'>,
): Promise<Pick<Pass, 'decision' | 'application' | 'waits' | 'returnsFrom'>> {
  const { claim, driver, tools } = work;
  const application = await lookAtApplication(work, observation);
  if (!application || observation.kind === 'unreachable') return { decision, waits: false };
  const isAsked = driver.readApps !== undefined;
  const judgement = judgeStatus(decision, {
    claim,
    observation,
    application,
    isAsked,
    awaitsEndpoints: await awaitsEndpoints(work, observation, application),
    now: tools.clock.now(),
  });
  return { ...judgement, decision: await afterReturn(tools, claim, judgement), application };
}

/** When the version before is in place again, the request has failed all the same. */
async function afterReturn(
  tools: ReconcileTools,
  claim: Claim,
  { decision, waits }: Judgement,
): Promise<Decision> {
  const isDone = decision.step === 'nothing' && decision.phase === 'COMPLETE';
  if (!isDone || waits || isComplete(claim.status)) return decision;
  const { cause, returned_from: failed } = await readDesiredVersion(tools.database.query, claim);
  // A later request that goes back to it, such as a cancellation, has not failed.
  return failed === null || failed !== claim.cancelled_version
    ? decision
    : { ...decision, phase: 'FAILED', reason: cause };
}

/** Nothing is known and nothing was done, or it can be repeated. */
function unreachablePass(claim: Claim, error: Unreachable): Pass {
  const observation = {
    kind: 'unreachable',
    reason: error.message,
    credentialRejected: error instanceof CredentialRejected,
  } as const;
  const decision = decide(desiredOf(claim), observation);
  return {
    observation,
    decision,
    answer: accepted,
    replacing: nothingReplaced,
    reporting: nothingReported,
    kept: [],
    waits: false,
  };
}

/**
 * One pass over one stack: observe, decide, take at most one step, record. Any pass may be repeated. An unreachable vendor is
 * a result; every other error is internal and is thrown, for the loop to log, show and retry.
 */
export async function reconcileStack(tools: ReconcileTools, claim: Claim): Promise<PassEnd> {
  const working = tools.limitCalls(claim.account_id, () => workOn(tools, claim));
  const pass = await working.catch((error: unknown) => {
    if (error instanceof Unreachable) return unreachablePass(claim, error);
    throw error;
  });
  const end = await recordPass(tools, claim, pass);
  if (end === 'noted' && pass.returnsFrom) await tools.goBack(claim, pass.returnsFrom);
  return end;
}
