import { platformVariables } from '../model/platform-variables.ts';
import { defaultRolloutSeconds } from '../model/rollout.ts';
import { isComplete } from '../model/status.ts';
import {
  type Application,
  forgetGone,
  readApplication,
  receiveReport,
  recordApplication,
} from '../rollouts/record.ts';
import type { Query } from '../store/database/database.ts';
import { listAppInstances } from '../store/stacks/app-instances.ts';
import { currentRollouts, type RolloutRow } from '../store/stacks/rollouts.ts';
import type { Claim } from '../store/stacks/schedule.ts';
import { readDesiredVersion } from '../store/stacks/versions.ts';
import { type Driver, type Observation, stackOnVendor, targetOf } from '../vendors/vendor.ts';
import type { Decision } from './decide.ts';
import type { Pass } from './pass.ts';
import type { ReconcileTools } from './tools.ts';

interface Work {
  tools: ReconcileTools;
  claim: Claim;
  driver: Driver;
}

type Seen = Exclude<Observation, { kind: 'unreachable' }>;

/** Asks the vendor what the applications do, if it knows that better than agents. */
async function askVendor({ tools, claim, driver }: Work): Promise<void> {
  if (!driver.readApps) return;
  const { query } = tools.database;
  const rollouts = await currentRollouts(query, claim.id);
  if (rollouts.length === 0) return;
  const known = new Map((await listAppInstances(query, claim.id)).map((row) => [row.instance_id, row]));
  const servingOn = new Map([...known].map(([id, row]) => [id, row.serving_revision]));
  const wanted = rollouts.map(({ flag, revision, image, began_at: since }) => ({
    flag,
    revision,
    image,
    since,
  }));
  const now = tools.clock.now();
  for (const report of await driver.readApps(stackOnVendor(claim), { wanted, servingOn })) {
    const before = known.get(report.instanceId);
    await receiveReport(query, { stackId: claim.id, report, everySeconds: 0, before, now });
  }
}

const isReached = ({ desired_version: desired }: Claim, observation: Seen): boolean =>
  'version' in observation && targetOf(observation.version) === desired;

const isOpen = ({ deadline_at: at }: RolloutRow): boolean => at === null;

/**
 * The time of a rollout runs from when the vendor is done: creating servers may take long. One that failed before has a time, too:
 * it tells that the vendor was done once.
 */
async function setDeadlines({ tools, claim }: Work): Promise<(row: RolloutRow) => RolloutRow> {
  const { query } = tools.database;
  if (!(await currentRollouts(query, claim.id)).some(isOpen)) return (row) => row;
  const { model } = await readDesiredVersion(query, claim);
  const secondsOf = (flag: string) =>
    model.layers.find((layer) => layer.flag === flag)?.rollout?.timeoutSeconds ?? defaultRolloutSeconds;
  const now = tools.clock.now();
  return (row) => (isOpen(row) ? { ...row, deadline_at: now + secondsOf(row.flag) * 1000 } : row);
}

/** Undefined: the stack has no application, or is deleted. */
export async function lookAtApplication(
  work: Work,
  observation: Observation,
): Promise<Application | undefined> {
  const { tools, claim } = work;
  if (observation.kind === 'unreachable' || claim.operation === 'DELETE' || claim.health === 'none')
    return undefined;
  await askVendor(work);
  const isSettled = observation.kind === 'settled' && isReached(claim, observation);
  return readApplication(tools.database.query, {
    stack: claim,
    instances: observation.view.instances,
    now: tools.clock.now(),
    isSettled: isSettled || isComplete(claim.status),
    ...(isSettled ? { before: await setDeadlines(work) } : {}),
  });
}

/** Containers get these addresses: when they change, the containers are deployed again. */
const changesEndpoints = ({ view }: Claim, observation: Seen): boolean => {
  const before = platformVariables(view.outputs);
  const after = platformVariables(observation.view.outputs);
  return Object.entries(after).some(([name, value]) => before[name] !== value);
};

/** Whether databases or caches of the desired version have no address yet. Asked only while the vendor works and a container fails. */
export async function awaitsEndpoints(
  { tools, claim }: Pick<Work, 'tools' | 'claim'>,
  observation: Seen,
  { rollouts }: Application,
): Promise<boolean> {
  if (!rollouts.some(({ state }) => state === 'failing')) return false;
  const { model } = await readDesiredVersion(tools.database.query, claim);
  const names = Object.keys(platformVariables(observation.view.outputs));
  const isMissing = (services: readonly unknown[], pattern: RegExp) =>
    services.length > 0 && !names.some((name) => pattern.test(name));
  return isMissing(model.databases, /_DATABASE_/) || isMissing(model.caches, /_(REDIS|MEMCACHED)_/);
}

/** What the application means for the request in progress. */
export interface Judgement {
  decision: Decision;
  /** The version is not complete: its containers do not serve. */
  waits: boolean;
  /** The rollout that failed, if the stack goes back because of it. */
  returnsFrom?: RolloutRow;
}

interface Judging {
  claim: Claim;
  observation: Seen;
  application: Application;
  /** The vendor tells about applications: it must be asked again soon. */
  isAsked: boolean;
  /** The containers may fail only because databases and caches are still being made. */
  awaitsEndpoints: boolean;
  now: number;
}

const askAgainMs = 1_000;
const lookAgainMs = 30_000;
const afterStepMs = 100;
/** If the server dies before the stack goes back, another one does it soon. */
const returnAgainMs = 2_000;

const failureText = ({ flag, image, reason, last_lines: lines }: RolloutRow): string =>
  [`Layer ${flag}: the new container${image === '' ? '' : ` (${image})`} does not serve. ${reason}`, lines]
    .filter((text) => text !== '')
    .join(' Last lines: ');

const mayReturn = ({
  operation,
  language,
  settled_version: settled,
  desired_version: desired,
  cancelled_version: cancelled,
}: Claim): boolean =>
  operation === 'UPDATE' &&
  language === 'v3' &&
  settled !== null &&
  settled !== desired &&
  // It goes back already.
  cancelled === null;

/** A status that is true about machines and wrong about the application is wrong. */
export function judgeStatus(decision: Decision, judging: Judging): Judgement {
  const { claim, observation, application } = judging;
  const rolling = application.rollouts.filter(({ state }) => state === 'rolling');
  const isOver = isComplete(claim.status) || !isReached(claim, observation);
  const isDone = decision.step === 'nothing' && decision.phase === 'COMPLETE';
  const isBusy = observation.kind === 'busy' || observation.kind === 'unfinished';
  // A new value of a secret, or a new address: the status stays, and what becomes of the containers is seen soon.
  if (isOver && isDone && rolling.length > 0)
    return { decision: { ...decision, lookAgainMs: lookAfter(rolling, judging) }, waits: false };
  if (isOver || !(isDone || isBusy)) return { decision, waits: false };
  const isLate = changesEndpoints(claim, observation) && application.rollouts.length > 0;
  const failing = application.rollouts.find(({ state }) => state === 'failing');
  if (failing && !isLate && !(isBusy && judging.awaitsEndpoints))
    return judgeFailure(decision, claim, failing);
  if (!isDone) return { decision, waits: false };
  if (rolling.length === 0 && !isLate) return { decision, waits: false };
  return {
    decision: {
      step: 'wait',
      phase: 'IN_PROGRESS',
      reason: progressText(rolling),
      lookAgainMs: isLate ? afterStepMs : lookAfter(rolling, judging),
    },
    waits: true,
  };
}

const lookAfter = (rolling: readonly RolloutRow[], { isAsked, now }: Judging): number => {
  const deadlines = rolling.map(({ deadline_at: at }) => (at ?? now + lookAgainMs) - now);
  return isAsked ? askAgainMs : Math.max(0, Math.min(lookAgainMs, ...deadlines));
};

const progressText = (rolling: readonly RolloutRow[]): string =>
  rolling
    .map(
      ({ flag, serving, wanted }) =>
        `Layer ${flag}: ${serving} of ${wanted} instances serve the new container.`,
    )
    .join(' ');

function judgeFailure(decision: Decision, claim: Claim, failing: RolloutRow): Judgement {
  const reason = failureText(failing);
  if (failing.stays === 1 || failing.version_id !== claim.desired_version || !mayReturn(claim))
    return { decision: { ...decision, phase: 'FAILED', reason }, waits: true };
  return {
    decision: { ...decision, phase: 'IN_PROGRESS', reason, lookAgainMs: returnAgainMs },
    waits: true,
    returnsFrom: failing,
  };
}

/** Call it in the transaction that records the pass. */
export async function recordSeenApplication(
  query: Query,
  claim: Claim,
  {
    pass: { application, observation },
    now,
  }: { pass: Pick<Pass, 'application' | 'observation'>; now: number },
): Promise<void> {
  if (!application || observation.kind === 'unreachable') return;
  await recordApplication(query, { stack: claim, now }, application);
  await forgetGone(query, { stack: claim, instances: observation.view.instances, now });
}
