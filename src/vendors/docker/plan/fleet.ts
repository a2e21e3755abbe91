import type { Fleet, Slot } from '../document.ts';
import { instanceContainerName, instanceStem } from '../names.ts';
import { containersOfPart, type ObservedStack, type StackContainer } from '../observed-stack.ts';
import type { Step } from './steps.ts';

/** How long an instance, and then its application, may take to stop. */
export const instanceStopSeconds = 5;

/** The containers of one slot of a fleet. */
export interface SlotState {
  slot: Slot;
  /** Matches the document and is not leaving. */
  current: StackContainer | undefined;
  /** Has served; is removed when the current one serves. */
  outgoing: readonly StackContainer[];
  /** Never served or has ended: can be removed at once. */
  unused: readonly StackContainer[];
}

const isAlive = ({ state }: StackContainer): boolean => state !== 'ended';
const isServing = ({ phase }: StackContainer): boolean => phase.kind === 'serving';
/** A server outside groups that has served is started again when it ended: it keeps its disk. */
const isCurrentIn = ({ hash, inGroup }: Fleet, container: StackContainer): boolean =>
  container.hash === hash &&
  container.phase.kind !== 'leaving' &&
  (isAlive(container) || (!inGroup && isServing(container)));

export function slotStates(fleet: Fleet, observed: ObservedStack): SlotState[] {
  return fleet.slots.map((slot) => {
    const members = containersOfPart(observed, 'instance', slot.name);
    const candidates = members.filter((member) => isCurrentIn(fleet, member));
    const alive = candidates.filter(isAlive);
    const current = alive.find(isServing) ?? alive[0] ?? candidates[0];
    const others = members.filter((member) => member !== current);
    const hasServed = (member: StackContainer) => isAlive(member) && member.phase.kind !== 'starting';
    const outgoing = others.filter(hasServed);
    return { slot, current, outgoing, unused: others.filter((member) => !hasServed(member)) };
  });
}

/** The slot has its current container in service, and no other. */
export const isSlotSettled = ({ current, outgoing, unused }: SlotState): boolean =>
  current !== undefined && isServing(current) && isAlive(current) && outgoing.length + unused.length === 0;

/** Whether an instance gets no more requests from any balancer. */
export type IsDrained = (instance: StackContainer) => boolean;

const removal = ({ id }: StackContainer): Step => ({
  do: 'remove',
  container: id,
  seconds: instanceStopSeconds,
});

function stepsFor({ current, outgoing, unused }: SlotState, isDrained: IsDrained): Step[] {
  const steps: Step[] = unused.map((member) => ({ do: 'remove', container: member.id, seconds: 0 }));
  if (!current) return steps;
  if (current.state === 'created' || current.state === 'ended')
    steps.push({ do: 'start', container: current.id, kind: 'instance', part: current.part });
  if (!isServing(current) && current.ready)
    steps.push({ do: 'rename', container: current.id, name: instanceStem(current.name) });
  if (isServing(current)) steps.push(...outgoing.filter(isDrained).map(removal));
  return steps;
}

/** Empty slots first, all at once. Then outdated slots, one at a time: a rolling update. */
function slotsToFill(states: readonly SlotState[]): SlotState[] {
  const empty = states.filter(({ current, outgoing }) => !current && outgoing.length === 0);
  const outdated = states.filter(({ current, outgoing }) => !current && outgoing.length > 0);
  const isRolling = states.some(
    ({ current, outgoing }) => current && (!isServing(current) || outgoing.length > 0),
  );
  return [...empty, ...(isRolling || empty.length > 0 ? [] : outdated.slice(0, 1))];
}

/** An instance that is replaced stays until its successor serves. */
export function planFleet(
  { stackId, observed }: { stackId: string; observed: ObservedStack },
  fleet: Fleet,
  isDrained: IsDrained,
): Step[] {
  const states = slotStates(fleet, observed);
  const taken = [...observed.takenNames];
  const creations = slotsToFill(states).map(({ slot }): Step => {
    const name = instanceContainerName(stackId, fleet.flag, taken);
    taken.push(name);
    return { do: 'create', kind: 'instance', part: slot.name, name, start: true, hostPorts: {} };
  });
  return [...creations, ...states.flatMap((state) => stepsFor(state, isDrained))];
}
