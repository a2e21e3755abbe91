import type { Fleet, Slot } from '../document.ts';
import { instanceContainerName, instanceStem } from '../names.ts';
import { ofPart, type Running, type Standing } from '../running.ts';
import type { Step } from './steps.ts';

/** How long an instance, and then its application, may take to end. */
export const stopTimeoutSeconds = 5;

/** What stands in one place of a fleet. */
export interface Place {
  slot: Slot;
  /** As the document wants it, and not on its way out. */
  fresh: Standing | undefined;
  /** Served, and goes when a fresh one does. */
  old: readonly Standing[];
  /** Serves nobody: may go at once. */
  useless: readonly Standing[];
}

const isAlive = ({ state }: Standing): boolean => state !== 'ended';
const isServing = ({ phase }: Standing): boolean => phase.kind === 'serving';
const isFreshIn = ({ hash }: Fleet, standing: Standing): boolean =>
  standing.hash === hash && standing.phase.kind !== 'leaving' && isAlive(standing);

export function placesOf(fleet: Fleet, running: Running): Place[] {
  return fleet.slots.map((slot) => {
    const members = ofPart(running, 'instance', slot.name);
    const candidates = members.filter((member) => isFreshIn(fleet, member));
    const fresh = candidates.find(isServing) ?? candidates[0];
    const others = members.filter((member) => member !== fresh);
    const isOld = (member: Standing) => isAlive(member) && member.phase.kind !== 'starting';
    return { slot, fresh, old: others.filter(isOld), useless: others.filter((member) => !isOld(member)) };
  });
}

/** The place has what is wanted, in service, and nothing else. */
export const isInOrder = ({ fresh, old, useless }: Place): boolean =>
  fresh !== undefined && isServing(fresh) && old.length + useless.length === 0;

/** Whether nobody sends anything to an instance any more. */
export type IsLetGo = (instance: Standing) => boolean;

const removal = ({ id }: Standing): Step => ({ do: 'remove', container: id, seconds: stopTimeoutSeconds });

function stepsFor({ fresh, old, useless }: Place, isLetGo: IsLetGo): Step[] {
  const steps: Step[] = useless.map((member) => ({ do: 'remove', container: member.id, seconds: 0 }));
  if (!fresh) return steps;
  if (fresh.state === 'created')
    steps.push({ do: 'start', container: fresh.id, kind: 'instance', part: fresh.part });
  if (!isServing(fresh) && fresh.ready)
    steps.push({ do: 'rename', container: fresh.id, name: instanceStem(fresh.name) });
  if (isServing(fresh)) steps.push(...old.filter(isLetGo).map(removal));
  return steps;
}

/**
 * Empty places are filled at once. Where something serves that is no longer wanted, the new one comes first, and only one
 * of a fleet at a time.
 */
export function planFleet(stackId: string, fleet: Fleet, running: Running, isLetGo: IsLetGo): Step[] {
  const places = placesOf(fleet, running);
  const empty = places.filter(({ fresh, old }) => !fresh && old.length === 0);
  const outdated = places.filter(({ fresh, old }) => !fresh && old.length > 0);
  const isRolling = places.some((place) => place.fresh && (!isServing(place.fresh) || place.old.length > 0));
  const toFill = [...empty, ...(isRolling || empty.length > 0 ? [] : outdated.slice(0, 1))];
  const taken = [...running.takenNames];
  const creations = toFill.map(({ slot }): Step => {
    const name = instanceContainerName(stackId, fleet.flag, taken);
    taken.push(name);
    return { do: 'create', kind: 'instance', part: slot.name, name, start: true, hostPorts: {} };
  });
  return [...creations, ...places.flatMap((place) => stepsFor(place, isLetGo))];
}
