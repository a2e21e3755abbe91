import { ifFound } from '../../../docker-engine/errors.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { emptyDocument } from '../document.ts';
import { missingImages } from '../observe/images.ts';
import { look } from '../observe/look.ts';
import { writeMarker } from '../observe/marker.ts';
import { isNoted, isSettled, nextRemoval, nextWave } from '../plan/plan.ts';
import { isEmpty } from '../running.ts';
import type { Machine, Wish } from '../tools.ts';
import { perform, performAll, tidy } from './perform.ts';

const restMs = 1_000;

/** Writes down what is wanted, where it is not written yet, and does the next wave of what that takes. */
export async function apply(machine: Machine, wish: Wish): Promise<Answer> {
  const { stack, document, version } = wish;
  const seen = await look(machine, stack.id);
  const word = { version, doing: 'apply', document } as const;
  const isNew = !isNoted(seen, word);
  const missing = isNew ? await missingImages(machine, document) : null;
  if (missing !== null) return refused(missing);
  if (needsPassword(wish)) return refused('The stack has a database, but no password was given for it.');
  if (isNew) await writeMarker(machine, stack.id, seen, word);
  const running = isNew ? await look(machine, stack.id) : seen;
  const steps = nextWave(stack.id, document, running);
  await performAll(machine, steps, (step) => perform(machine, wish, step));
  // Called again and again while something takes long, it is not to ask the engine without a pause.
  if (steps.length === 0 && !isSettled(document, running)) await pause(machine);
  return accepted;
}

const needsPassword = ({ document, databasePassword }: Wish): boolean =>
  databasePassword === undefined && document.services.some(({ kind }) => kind === 'database');

const pause = ({ tools }: Machine): Promise<void> =>
  new Promise((resolve) => void tools.clock.after(restMs, resolve));

/** The next wave of taking everything away. The first also writes down that this is wanted. */
export async function remove(machine: Machine, { id }: StackOnVendor): Promise<Answer> {
  const running = await look(machine, id);
  if (isEmpty(running)) return accepted;
  const [newest] = running.markers;
  if (newest?.doing !== 'remove') {
    const { version, document } = newest ?? { version: '', document: emptyDocument };
    // Without our images there is nothing to write it on; what is asked for can be done all the same.
    await ifFound(writeMarker(machine, id, running, { version, document, doing: 'remove' }));
  }
  await performAll(machine, nextRemoval(running), (step) => tidy(machine, id, step));
  return accepted;
}
