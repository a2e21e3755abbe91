import { isComplete } from '../model/status.ts';
import type { Claim, PassEnd } from '../store/stacks/schedule.ts';
import { findVersion } from '../store/stacks/versions.ts';
import {
  type Answer,
  accepted,
  type Driver,
  type Observation,
  type StackOnVendor,
  stackOnVendor,
} from '../vendors/vendor.ts';
import { type Decision, type Desired, decide } from './decide.ts';
import { type Pass, recordPass } from './record-pass.ts';
import { nothingReplaced, replaceNoticed } from './replacements.ts';
import { intentKey, onVendor, type ReconcileTools } from './tools.ts';

const desiredOf = (stack: Claim): Desired => ({
  operation: stack.operation,
  version: stack.desired_version,
  settledVersion: stack.settled_version,
  tried: stack.tried_wish === intentKey(stack),
  refusal: stack.refused_wish === intentKey(stack) ? stack.refused_reason : null,
  failures: stack.troubles,
});

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

async function takeStep(
  tools: ReconcileTools,
  driver: Driver,
  claim: Claim,
  decision: Decision,
): Promise<Answer> {
  const stack = stackOnVendor(claim);
  if (decision.step === 'remove') return driver.remove(stack);
  if (decision.step !== 'apply') return accepted;
  const version = await findVersion(tools.database.query, claim.id, claim.desired_version);
  if (!version) throw new Error(`Version ${claim.desired_version} of stack ${claim.id} is not in the store.`);
  const document = JSON.parse(version.vendor_document);
  return driver.apply(stack, { document, version: version.id, ...(await tools.secretsOf(claim)) });
}

const becomesComplete = ({ operation, status }: Claim, { step, phase }: Decision): boolean =>
  operation !== 'DELETE' && step === 'nothing' && phase === 'COMPLETE' && !isComplete(status);

/** One pass over one stack: look, decide, take at most one step, note down. Whatever happens, it may simply be repeated. */
export async function reconcileStack(tools: ReconcileTools, claim: Claim): Promise<PassEnd> {
  const desired = desiredOf(claim);
  let observation: Observation = { kind: 'unreachable', reason: 'not asked yet' };
  let decision: Decision;
  let answer: Answer = accepted;
  let replacing: Replacing = nothingReplaced;
  try {
    const driver = await tools.connect(claim);
    observation = await observe(driver, stackOnVendor(claim));
    decision = decide(desired, observation);
    answer = await takeStep(tools, driver, claim, decision);
    if (comesToRest(claim, decision)) await tools.beforeComplete(claim, driver);
    replacing = await replaceNoticed(tools, driver, claim, { observation, decision });
  } catch (trouble) {
    observation = { kind: 'unreachable', reason: sentence(trouble) };
    decision = decide(desired, observation);
  }
  return noteDown(tools, claim, { observation, decision, answer, replacing });
}
