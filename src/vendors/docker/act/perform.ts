import { randomHex } from '../../../basics/random.ts';
import { ifFound, ifNew } from '../../../docker-engine/errors.ts';
import type { Engine } from '../../../docker-engine/types.ts';
import { Unreachable } from '../../vendor.ts';
import { labels, onEngine, stackName } from '../names.ts';
import { configurationFile } from '../observe/look.ts';
import type { Step, Tidying } from '../plan/steps.ts';
import type { Machine, Wish } from '../tools.ts';
import { makeContainer, startContainer } from './make-container.ts';

/** At once: engines are quicker with several things than with one after the other, up to a point. */
const atOnce = 6;
/** A wave that takes longer ends early. What is left of it is in the next one. */
const longestWaveMs = 15_000;

/** Ends when everything that began has ended; then the first trouble is thrown. */
export async function performAll<S extends Step>(
  machine: Machine,
  steps: readonly S[],
  act: (step: S) => Promise<void>,
): Promise<void> {
  const { clock } = machine.tools;
  const end = clock.now() + longestWaveMs;
  const left = [...steps];
  const work = async () => {
    for (let step = left.shift(); step && clock.now() < end; step = left.shift()) await act(step);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, steps.length) }, work));
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

const replicaFarewellSeconds = 10;

/** Otherwise the primary keeps its log for one that never comes again. */
async function forgetReplica({ containers }: Engine, primary: string, slot: string): Promise<void> {
  const statement = `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '${slot}'`;
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  const psql = ['psql', '-h', '/run/postgresql', '-c', statement];
  const { exitCode, stderr } = await containers.exec(primary, [...asPostgres, ...psql]);
  if (exitCode !== 0) throw new Unreachable(`The database did not release its replica: ${stderr.trim()}`);
}

/** What takes no knowledge of a document. */
export async function tidy({ engine }: Machine, stackId: string, step: Tidying): Promise<void> {
  const { containers, networks, volumes } = engine;
  switch (step.do) {
    case 'remove':
      if (step.seconds > 0) await ifFound(containers.stop(step.container, step.seconds));
      return void (await containers.remove(step.container, { force: true }));
    case 'remove-replica':
      await ifFound(containers.stop(step.container, replicaFarewellSeconds));
      await forgetReplica(engine, step.primary, step.slot);
      return void (await containers.remove(step.container, { force: true }));
    case 'remove-volume':
      return void (await volumes.remove(step.volume));
    case 'remove-network':
      return void (await networks.remove(stackName(stackId)));
  }
}

export async function perform(machine: Machine, wish: Wish, step: Step): Promise<void> {
  const { containers, networks, volumes } = machine.engine;
  const stackId = wish.stack.id;
  const own = { [labels.stack]: stackId };
  switch (step.do) {
    case 'make-network': {
      const seeded = { ...own, [labels.seed]: randomHex(64) };
      return void (await ifNew(networks.create({ name: stackName(stackId), labels: seeded })));
    }
    case 'make-volume':
      return volumes.create({ name: onEngine(stackId, step.volume), labels: own });
    case 'create':
      return makeContainer(machine, wish, step);
    case 'start':
      return startContainer(machine, wish, { id: step.container, kind: step.kind, part: step.part });
    case 'rename':
      return ifFound(containers.rename(step.container, step.name));
    case 'configure':
      return configure(machine, step.container, step.text);
    case 'remove':
    case 'remove-replica':
    case 'remove-volume':
    case 'remove-network':
      return tidy(machine, stackId, step);
  }
}

/** The new text is tried before it counts, and taken over without closing a connection. */
async function configure({ engine }: Machine, container: string, text: string): Promise<void> {
  await engine.containers.putFiles(container, [{ path: `${configurationFile}.new`, content: text }]);
  const reload = ['/opt/almanac/entry/reload-haproxy.sh'];
  const { exitCode, stdout, stderr } = await engine.containers.exec(container, reload);
  if (exitCode !== 0)
    throw new Unreachable(`The load balancer rejected its configuration: ${stdout}${stderr}`.trim());
}
