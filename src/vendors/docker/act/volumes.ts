import { randomHex } from '../../../basics/random.ts';
import type { Labels } from '../../../docker-engine/container-types.ts';
import { type StackOnVendor, Unreachable } from '../../vendor.ts';
import { sourceOf } from '../data.ts';
import { keepVolume, releaseVolume } from '../keep/keep.ts';
import { contentOf, endOfKeeping, isOwned } from '../keep/record.ts';
import { labels, onEngine } from '../names.ts';
import type { DesiredStack, Machine } from '../tools.ts';

/** They name the content, so that people can tell it when the stack is gone. */
function labelsFor({ stack, document }: DesiredStack, volume: string): Labels {
  const source = sourceOf(document, stack.id, volume);
  const base = {
    [labels.stack]: stack.id,
    [labels.account]: stack.accountId,
    [labels.id]: randomHex(8),
    ...(source === undefined ? {} : { [labels.restoredFrom]: source }),
  };
  const service = document.services.find((each) => each.volume === volume);
  if (!service) return { ...base, [labels.engine]: 'files' };
  return {
    ...base,
    [labels.part]: service.name,
    [labels.engine]: service.engine,
    [labels.role]: service.role,
  };
}

export async function makeVolume(machine: Machine, desired: DesiredStack, volume: string): Promise<void> {
  const name = onEngine(desired.stack.id, volume);
  const made = await machine.engine.volumes.create({ name, labels: labelsFor(desired, volume) });
  if (!isOwned(made))
    throw new Error(
      `The machine has a volume ${name} that Almanac did not make. Rename or remove it; Almanac will not use it.`,
    );
}

/** Data is never removed because its volume has been removed by hand in the meantime: there is nothing to keep then. */
export async function keep(machine: Machine, stack: StackOnVendor, volume: string): Promise<void> {
  const { engine, tools } = machine;
  const found = (await engine.volumes.list({ [labels.stack]: stack.id })).find(({ name }) => name === volume);
  if (!found) return;
  const now = tools.clock.now();
  await keepVolume(engine, {
    volume,
    stackId: stack.id,
    accountId: stack.accountId,
    ...contentOf(found),
    keptAt: now,
    until: endOfKeeping(now, tools.keepDays),
  });
}

/** A copy, for a stack that restores it or by hand, must not see the data change. */
export async function reuseVolume(machine: Machine, stack: StackOnVendor, volume: string): Promise<void> {
  await releaseVolume(machine.engine, volume);
  const { containers, volumes } = machine.engine;
  const found = await containers.list({ [labels.stack]: stack.id });
  const own = found.filter((container) => container.labels[labels.kind] !== 'copy');
  const ownNames = new Set(own.map(({ name }) => name));
  const users = (await volumes.usersOf(volume)).filter((name) => !ownNames.has(name));
  if (users.length === 0) return;
  await keep(machine, stack, volume);
  throw new Unreachable(
    `Volume ${volume} is in use by ${users.join(', ')}. The stack waits until it is not.`,
  );
}
