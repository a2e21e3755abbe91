import type { Labels } from '../../../docker-engine/container-types.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { keepVolume } from '../keep/keep.ts';
import { contentOf, endOfKeeping, isOwned } from '../keep/record.ts';
import { labels, onEngine } from '../names.ts';
import type { DesiredStack, Machine } from '../tools.ts';

/** They name the content, so that people can tell it when the stack is gone. */
function labelsFor({ stack, document }: DesiredStack, volume: string): Labels {
  const owner = { [labels.stack]: stack.id, [labels.account]: stack.accountId };
  const service = document.services.find((each) => each.volume === volume);
  if (!service) return { ...owner, [labels.engine]: 'files' };
  return {
    ...owner,
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
