import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { Fault } from '../../fault.ts';
import { noSpotInstance } from '../../shared/spot.ts';
import { type Answer, accepted, type RestartAnswer, refused } from '../../vendor.ts';
import { drainSeconds } from '../catalog.ts';
import { leavingName, shortId } from '../names.ts';
import { readStack } from '../observe/read-stack.ts';
import type { ObservedStack, StackContainer } from '../observed-stack.ts';
import { readyFile, spotNoticeFile } from '../plan/container-specs.ts';
import type { Machine } from '../tools.ts';

/** Operations on single instances. */

const instancesIn = ({ containers }: ObservedStack): StackContainer[] =>
  containers.filter(({ kind, state }) => kind === 'instance' && state !== 'ended');

const findInstance = (observed: ObservedStack, instanceId: string): StackContainer | undefined =>
  instancesIn(observed).find(({ id }) => shortId(id) === instanceId);

/** Marks an instance for replacement: the next waves start another one and then remove it. */
const markLeaving = ({ engine, tools }: Machine, { id, name }: StackContainer): Promise<void> =>
  engine.containers.rename(id, leavingName(name, tools.clock.now()));

export async function replaceInstance(
  machine: Machine,
  stackId: string,
  instanceId: string,
): Promise<Answer> {
  const found = findInstance(await readStack(machine, stackId), instanceId);
  if (!found) return refused(`There is no instance ${instanceId}.`);
  if (found.phase.kind === 'leaving') return accepted;
  if (!found.spot) return refused(`Instance ${instanceId} is not a spot instance and cannot be reclaimed.`);
  await markLeaving(machine, found);
  return accepted;
}

/** Replaces a member of a group. Reboots any other server, which keeps its disk. */
export async function restartInstance(
  machine: Machine,
  stackId: string,
  instanceId: string,
): Promise<RestartAnswer> {
  const observed = await readStack(machine, stackId);
  const found = findInstance(observed, instanceId);
  if (!found) return { accepted: false, reason: `There is no instance ${instanceId}.` };
  const fleets = observed.markers[0]?.document.fleets ?? [];
  if (fleets.some(({ flag, inGroup }) => flag === found.flag && inGroup)) {
    if (found.phase.kind !== 'leaving') await markLeaving(machine, found);
    return { accepted: true, protectionSeconds: drainSeconds };
  }
  const { containers } = machine.engine;
  // Not ready again until its agent reports it.
  if (found.state === 'running') await containers.exec(found.id, ['rm', '-f', readyFile]);
  await containers.stop(found.id, 10);
  await containers.start(found.id);
  return { accepted: true, protectionSeconds: null };
}

const problem = (path: string, message: string): Outcome<never> => reject([{ path, message }]);

/** The only fault an engine can inject is a spot notice. */
export async function injectFault(
  machine: Machine,
  fault: Fault,
  stackId: string | undefined,
): Promise<Outcome<string>> {
  if (fault.kind !== 'spot_notice')
    return problem(
      'kind',
      `The docker vendor does not support fault ${fault.kind}. It supports spot_notice.`,
    );
  if (stackId === undefined) return problem('stack', 'A stack is required: the one with the spot instance.');
  const { instanceId } = fault;
  const instances = instancesIn(await readStack(machine, stackId));
  const found = instances.find(
    ({ id, spot, state, phase }) =>
      spot && state === 'running' && phase.kind === 'serving' && shortId(id) === (instanceId ?? shortId(id)),
  );
  if (!found) return problem('instanceId', noSpotInstance(instanceId));
  const notice = { action: 'terminate', time: new Date(machine.tools.clock.now() + 120_000).toISOString() };
  const file = { path: spotNoticeFile, content: JSON.stringify(notice) };
  await machine.engine.containers.putFiles(found.id, [file]);
  return succeed(`Sent a spot notice to instance ${shortId(found.id)}. Its agent will report it.`);
}
