import { ifFound } from '../../../docker-engine/errors.ts';
import type { RemoveRequest } from '../../data.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { stillRestored } from '../data.ts';
import { emptyDocument } from '../document.ts';
import { missingImages } from '../observe/images.ts';
import { writeMarker } from '../observe/marker.ts';
import { foundSizes, nextSizes } from '../observe/next-sizes.ts';
import { readStack } from '../observe/read-stack.ts';
import { usableVolumes } from '../observe/stores.ts';
import { isEmpty, type ObservedStack } from '../observed-stack.ts';
import { isRecorded, isSettled, nextRemoval, nextWave } from '../plan/plan.ts';
import { atSizes } from '../plan/scaling.ts';
import type { DesiredStack, Machine } from '../tools.ts';
import { cleanUp, perform, performAll } from './perform.ts';
import { whyNotRestored } from './restore.ts';

const waitMs = 1_000;

/** Records the desired state on the engine, unless it is recorded already, and performs the next wave of steps. */
export async function apply(machine: Machine, asked: DesiredStack): Promise<Answer> {
  const { stack, version, releases } = asked;
  const before = await readStack(machine, stack.id);
  const document = stillRestored(asked.document, before.markers[0]?.document);
  const desired = { ...asked, document };
  const now = machine.tools.clock.now();
  const sizes = before.markers[0]?.sizes ?? foundSizes(document, before, now);
  const usable = usableVolumes(stack.id, before, now);
  const content = { version, doing: 'apply', document, sizes, usable } as const;
  const isNew = !isRecorded(before, content);
  const missing = isNew ? await missingImages(machine, document) : null;
  if (missing !== null) return refused(missing);
  if (lacksPassword(desired))
    return refused('The stack has a database, but the request has no password for it.');
  const unrestorable = await whyNotRestored(machine, desired, before);
  if (unrestorable !== null) return refused(unrestorable);
  if (isNew) await writeMarker(machine, { stackId: stack.id, markers: before.markers }, content);
  const observed = isNew ? await readStack(machine, stack.id) : before;
  const sized = atSizes(document, sizes);
  const steps = nextWave({ stackId: stack.id, document: sized, releases }, observed);
  await performAll(machine, steps, (step) => perform(machine, { ...desired, document: sized }, step));
  if (steps.length > 0) return accepted;
  if (isSettled(sized, observed)) await scale(machine, stack.id, observed);
  // Limits the rate of requests to the engine: apply is called repeatedly while containers start.
  else await wait(machine);
  return accepted;
}

/** Records the sizes that load requires; the next waves reach them. Other versions and other servers find them there. */
async function scale(machine: Machine, stackId: string, { markers }: ObservedStack): Promise<void> {
  const [newest] = markers;
  const changed = newest && nextSizes(machine, stackId, newest);
  if (!changed || Object.keys(changed).length === 0) return;
  await writeMarker(machine, { stackId, markers }, { ...newest, sizes: { ...newest.sizes, ...changed } });
}

const lacksPassword = ({ document, databasePassword }: DesiredStack): boolean =>
  databasePassword === undefined && document.services.some(({ kind }) => kind === 'database');

const wait = ({ tools }: Machine): Promise<void> =>
  new Promise((resolve) => void tools.clock.after(waitMs, resolve));

/** Performs the next wave of the removal. The first call also records the removal on the engine. */
export async function remove(
  machine: Machine,
  stack: StackOnVendor,
  { releases }: Pick<RemoveRequest, 'releases'>,
): Promise<Answer> {
  const { id } = stack;
  const observed = await readStack(machine, id);
  const isDeletion = releases.some(({ kind, choice }) => kind !== 'disk' && choice === 'delete');
  if (isEmpty(observed)) return isDeletion ? stillKept(observed) : accepted;
  const [newest] = observed.markers;
  const last = newest ?? { version: '', document: emptyDocument, sizes: {}, usable: [] };
  if (newest?.doing !== 'remove') {
    const content = { ...last, doing: 'remove' } as const;
    // Without our images there is no container to record it on. The removal works all the same.
    await ifFound(writeMarker(machine, { stackId: id, markers: observed.markers }, content));
  }
  const steps = nextRemoval({ stackId: id, document: last.document, releases }, observed);
  await performAll(machine, steps, (step) => cleanUp(machine, stack, step));
  return accepted;
}

/** Nothing says which of them the stack used last: the operator decides. */
function stillKept({ volumes }: ObservedStack): Answer {
  if (volumes.length === 0) return accepted;
  const names = volumes.map(({ name }) => name).join(', ');
  return {
    accepted: true,
    note: `Nothing of the stack is left on the machine, except data that was kept before and stays: ${names}. To remove it: almanac volumes remove.`,
  };
}
