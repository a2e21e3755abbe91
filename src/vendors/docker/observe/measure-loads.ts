import type { DockerDocument, Fleet } from '../document.ts';
import { shortId } from '../names.ts';
import type { ObservedStack, StackContainer } from '../observed-stack.ts';
import { slotStates } from '../plan/fleet.ts';
import type { Machine } from '../tools.ts';

/** More often would measure noise. */
const shortestMs = 2_000;
const instancesIn = (fleet: Fleet, observed: ObservedStack): StackContainer[] =>
  slotStates(fleet, observed).flatMap(({ current }) => (current?.state === 'running' ? [current] : []));

/** An instance, and the containers that its agent runs next to it. */
async function percentOf(
  machine: Machine,
  instance: StackContainer,
  observed: ObservedStack,
): Promise<number | undefined> {
  const apps = observed.containers.filter((each) => each.instance === shortId(instance.id));
  const percents = await Promise.all(
    [instance, ...apps].map(async ({ id }) => {
      // A measurement that fails does not count as a reading, whatever the reason: what the pass is for does not depend on it.
      const cpuTime = await machine.engine.containers.cpuTime(id).catch(() => undefined);
      if (cpuTime === undefined) return undefined;
      return machine.loads.percentSince(id, { at: machine.tools.clock.now(), cpuTime });
    }),
  );
  const known = percents.filter((percent) => percent !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, percent) => sum + percent, 0);
}

/** Measures the groups that scale. Changes nothing on the engine. */
export async function measureLoads(
  machine: Machine,
  { stackId, document }: { stackId: string; document: DockerDocument },
  observed: ObservedStack,
): Promise<void> {
  const now = machine.tools.clock.now();
  for (const fleet of document.fleets) {
    const last = machine.loads.of(stackId, fleet.flag).at(-1)?.at ?? 0;
    if (!fleet.scaling || now - last < shortestMs) continue;
    const instances = instancesIn(fleet, observed);
    const percents = await Promise.all(instances.map((each) => percentOf(machine, each, observed)));
    const known = percents.filter((percent) => percent !== undefined);
    if (known.length === 0) continue;
    const percent = known.reduce((sum, each) => sum + each, 0) / known.length;
    machine.loads.add(stackId, fleet.flag, { at: machine.tools.clock.now(), percent });
  }
}
