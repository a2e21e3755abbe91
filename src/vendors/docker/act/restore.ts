import { listKept } from '../keep/kept-volumes.ts';
import type { RecordedVolume } from '../keep/record.ts';
import { onEngine } from '../names.ts';
import type { ObservedStack } from '../observed-stack.ts';
import type { DesiredStack, Machine } from '../tools.ts';

/** The volumes that are still to be restored. One that is in use stays as it is; one that was restored before is used again. */
const openIn = ({ stack, document }: DesiredStack, { volumes }: ObservedStack): [string, string][] =>
  Object.entries(document.restored ?? {}).filter(
    ([volume, reference]) =>
      !volumes.some(
        ({ name, kept, restoredFrom }) =>
          name === onEngine(stack.id, volume) && (kept === null || restoredFrom === reference),
      ),
  );

const engineOf = ({ document }: DesiredStack, volume: string): string =>
  document.services.find((service) => service.volume === volume)?.engine ?? 'files';

function problemWith(
  desired: DesiredStack,
  [volume, reference]: [string, string],
  kept: readonly RecordedVolume[],
): string | null {
  const { stack } = desired;
  const own = onEngine(stack.id, volume);
  const source = kept.find((each) => each.volume === reference);
  if (!source || source.accountId !== stack.accountId)
    return `There is no kept volume ${reference}. It cannot be restored to ${volume}.`;
  const engine = engineOf(desired, volume);
  if (source.engine !== engine)
    return `Volume ${reference} holds data of ${source.engine}, and ${volume} needs ${engine}.`;
  if (reference !== own && kept.some((each) => each.volume === own))
    return `The machine keeps volume ${own} of this stack, which has the place of the restored one. Restore that one instead, or let the operator remove it: almanac volumes remove ${own}.`;
  return null;
}

/** Why volumes cannot be made from kept ones; null: they can. Asks the engine only while some are to be made. */
export async function whyNotRestored(
  machine: Machine,
  desired: DesiredStack,
  observed: ObservedStack,
): Promise<string | null> {
  const open = openIn(desired, observed);
  if (open.length === 0) return null;
  const kept = await listKept(machine);
  return open.map((each) => problemWith(desired, each, kept)).find((problem) => problem !== null) ?? null;
}
