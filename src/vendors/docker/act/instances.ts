import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { type Answer, accepted, type Fault, type RestartAnswer, refused } from '../../vendor.ts';
import { drainSeconds } from '../catalog.ts';
import { leavingName, shortId } from '../names.ts';
import { look } from '../observe/look.ts';
import { noticeFile, readyFile } from '../plan/container-specs.ts';
import type { Running, Standing } from '../running.ts';
import type { Machine } from '../tools.ts';

/** What can be asked of single instances. */

const instancesIn = ({ containers }: Running): Standing[] =>
  containers.filter(({ kind, state }) => kind === 'instance' && state !== 'ended');

const findIn = (running: Running, instanceId: string): Standing | undefined =>
  instancesIn(running).find(({ id }) => shortId(id) === instanceId);

/** From here on it counts as one that is no longer wanted: the next waves put another in its place first. */
const dismiss = ({ engine, tools }: Machine, { id, name }: Standing): Promise<void> =>
  engine.containers.rename(id, leavingName(name, tools.clock.now()));

export async function replaceInstance(
  machine: Machine,
  stackId: string,
  instanceId: string,
): Promise<Answer> {
  const found = findIn(await look(machine, stackId), instanceId);
  if (!found) return refused(`There is no instance ${instanceId}.`);
  if (found.phase.kind === 'leaving') return accepted;
  if (!found.spot) return refused(`Instance ${instanceId} is not a spot instance; nobody takes it back.`);
  await dismiss(machine, found);
  return accepted;
}

/** A group's member is replaced; any other server is rebooted, which keeps its disk. */
export async function restartInstance(
  machine: Machine,
  stackId: string,
  instanceId: string,
): Promise<RestartAnswer> {
  const running = await look(machine, stackId);
  const found = findIn(running, instanceId);
  if (!found) return { accepted: false, reason: `There is no instance ${instanceId}.` };
  const fleets = running.markers[0]?.document.fleets ?? [];
  if (fleets.some(({ flag, inGroup }) => flag === found.flag && inGroup)) {
    if (found.phase.kind !== 'leaving') await dismiss(machine, found);
    return { accepted: true, protectionSeconds: drainSeconds };
  }
  const { containers } = machine.engine;
  // It is not ready again before its agent says so.
  if (found.state === 'running') await containers.exec(found.id, ['rm', '-f', readyFile]);
  await containers.stop(found.id, 10);
  await containers.start(found.id);
  return { accepted: true, protectionSeconds: null };
}

const problem = (path: string, message: string): Outcome<never> => reject([{ path, message }]);

/** Of the troubles one may ask for, an engine can make one: the notice that a spot instance will be taken back. */
export async function injectFault(
  machine: Machine,
  fault: Fault,
  stackId: string | undefined,
): Promise<Outcome<string>> {
  if (fault.kind !== 'spot_notice')
    return problem('kind', `The docker vendor cannot make trouble of kind ${fault.kind}, only spot_notice.`);
  if (stackId === undefined) return problem('stack', 'Name the stack whose instance gets the notice.');
  const { instanceId } = fault;
  const instances = instancesIn(await look(machine, stackId));
  const found = instances.find(
    ({ id, spot, state, phase }) =>
      spot && state === 'running' && phase.kind === 'serving' && shortId(id) === (instanceId ?? shortId(id)),
  );
  if (!found) {
    const which = instanceId === undefined ? 'There is no running spot instance.' : `${instanceId} is none.`;
    return problem('instanceId', `Only a running spot instance can get a notice. ${which}`);
  }
  const notice = { action: 'terminate', time: new Date(machine.tools.clock.now() + 120_000).toISOString() };
  await machine.engine.containers.putFiles(found.id, [{ path: noticeFile, content: JSON.stringify(notice) }]);
  return succeed(`Spot instance ${shortId(found.id)} got its notice. Its agent tells Almanac of it.`);
}
