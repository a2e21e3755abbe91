import { maxInstances } from '../catalog.ts';
import type { DockerDocument, Fleet } from '../document.ts';
import type { Marker, ObservedStack } from '../observed-stack.ts';
import { nextSize, type Size, type Sizes, sizeOf } from '../plan/scaling.ts';
import type { Machine } from '../tools.ts';

/** The sizes that groups should have instead of their current ones; empty: they stay. */
export function nextSizes(machine: Machine, stackId: string, { document, sizes }: Marker): Sizes {
  const total = document.fleets.reduce((sum, fleet) => sum + sizeOf(fleet, sizes), 0);
  const changed = document.fleets.flatMap((fleet) => {
    const next = sizeFor(machine, { stackId, fleet, sizes });
    // A stack has a limit too, whatever the limits of its groups.
    const size = next && Math.min(next.size, next.from + Math.max(0, maxInstances - total));
    return next && size !== null && size !== next.from ? [[fleet.flag, { ...next, size }] as const] : [];
  });
  return Object.fromEntries(changed);
}

function sizeFor(
  { loads, tools }: Machine,
  { stackId, fleet, sizes }: { stackId: string; fleet: Fleet; sizes: Sizes },
): Size | null {
  const { flag, scaling, slots } = fleet;
  if (!scaling) return null;
  const now = tools.clock.now();
  const from = sizeOf(fleet, sizes);
  const changedAt = sizes[flag]?.at;
  const next = nextSize({
    scaling,
    min: slots.length,
    size: from,
    changedAt,
    loads: loads.of(stackId, flag),
    now,
  });
  return next && { ...next, percent: Math.round(next.percent), from, at: now };
}

/** The sizes of groups whose record was removed from the engine, from the instances that exist. */
export function foundSizes(
  { fleets }: DockerDocument,
  { containers }: Pick<ObservedStack, 'containers'>,
  now: number,
): Sizes {
  const parts = new Set(containers.filter(({ kind }) => kind === 'instance').map(({ part }) => part));
  const found = fleets.flatMap(({ flag, slots, scaling }) => {
    const size = [...slots, ...(scaling?.reserve ?? [])].filter(({ name }) => parts.has(name)).length;
    return size > slots.length ? [[flag, { size, from: size, at: now, percent: 0 }] as const] : [];
  });
  return Object.fromEntries(found);
}
