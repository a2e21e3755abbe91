import { randomHex } from '../../../basics/random.ts';
import { ifFound, ifNew } from '../../../docker-engine/errors.ts';
import type { Engine } from '../../../docker-engine/types.ts';
import { type StackOnVendor, Unreachable } from '../../vendor.ts';
import { releaseVolume } from '../keep/keep.ts';
import { labels, stackName } from '../names.ts';
import { configurationFile } from '../observe/read-stack.ts';
import { serviceStopSeconds } from '../plan/service.ts';
import type { CleanupStep, Step } from '../plan/steps.ts';
import type { DesiredStack, Machine } from '../tools.ts';
import { copyVolume } from './copy-volume.ts';
import { makeContainer, startContainer } from './make-container.ts';
import { keep, makeVolume, reuseVolume } from './volumes.ts';

/** Engines are faster with several requests at once, up to a limit. */
const maxConcurrent = 6;
/** A longer wave ends early. The next wave includes the remaining steps. */
const maxWaveMs = 15_000;

/** Waits for every step that was started. Then throws the first error. */
export async function performAll<S extends Step>(
  machine: Machine,
  steps: readonly S[],
  act: (step: S) => Promise<void>,
): Promise<void> {
  const { clock } = machine.tools;
  const end = clock.now() + maxWaveMs;
  const queue = [...steps];
  const work = async () => {
    for (let step = queue.shift(); step && clock.now() < end; step = queue.shift()) await act(step);
  };
  const workers = Array.from({ length: Math.min(maxConcurrent, steps.length) }, work);
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Without this, the primary keeps its log for a replica that no longer exists. */
async function dropReplicationSlot({ containers }: Engine, primary: string, slot: string): Promise<void> {
  const statement = `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '${slot}'`;
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  const psql = ['psql', '-h', '/run/postgresql', '-c', statement];
  const { exitCode, stderr } = await containers.exec(primary, [...asPostgres, ...psql]);
  if (exitCode !== 0) throw new Unreachable(`Dropping the replication slot ${slot} failed: ${stderr.trim()}`);
}

/** Performs a step that needs no document. */
export async function cleanUp(machine: Machine, stack: StackOnVendor, step: CleanupStep): Promise<void> {
  const { engine } = machine;
  const { containers, networks, volumes } = engine;
  switch (step.do) {
    case 'remove':
      if (step.seconds > 0) await ifFound(containers.stop(step.container, step.seconds));
      return void (await containers.remove(step.container, { force: true }));
    case 'remove-replica':
      await ifFound(containers.stop(step.container, serviceStopSeconds));
      await dropReplicationSlot(engine, step.primary, step.slot);
      return void (await containers.remove(step.container, { force: true }));
    case 'keep-volume':
      return keep(machine, stack, step.volume);
    case 'remove-volume':
      await releaseVolume(engine, step.volume);
      return void (await volumes.remove(step.volume));
    case 'remove-network':
      return void (await networks.remove(stackName(stack.id)));
  }
}

export async function perform(machine: Machine, desired: DesiredStack, step: Step): Promise<void> {
  const { containers, networks } = machine.engine;
  const stackId = desired.stack.id;
  switch (step.do) {
    case 'make-network': {
      const seeded = { [labels.stack]: stackId, [labels.seed]: randomHex(64) };
      return void (await ifNew(networks.create({ name: stackName(stackId), labels: seeded })));
    }
    case 'make-volume':
      return makeVolume(machine, desired, step.volume);
    case 'reuse-volume':
      return reuseVolume(machine, desired.stack, step.volume);
    case 'copy-volume':
      return copyVolume(machine, desired, step);
    case 'create':
      return makeContainer(machine, desired, step);
    case 'start':
      return startContainer(machine, desired, { id: step.container, kind: step.kind, part: step.part });
    case 'rename':
      return ifFound(containers.rename(step.container, step.name));
    case 'configure':
      return configure(machine, step.container, step.text);
    case 'remove':
    case 'remove-replica':
    case 'keep-volume':
    case 'remove-volume':
    case 'remove-network':
      return cleanUp(machine, desired.stack, step);
  }
}

/** The script validates the new configuration and reloads it without closing connections. */
async function configure({ engine }: Machine, container: string, text: string): Promise<void> {
  await engine.containers.putFiles(container, [{ path: `${configurationFile}.new`, content: text }]);
  const reload = ['/opt/almanac/entry/reload-haproxy.sh'];
  const { exitCode, stdout, stderr } = await engine.containers.exec(container, reload);
  if (exitCode !== 0)
    throw new Error(`The load balancer rejected its configuration: ${stdout}${stderr}`.trim());
}
