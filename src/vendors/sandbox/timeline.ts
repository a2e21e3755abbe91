import type { Undoing } from '../vendor.ts';
import type { Resource, SandboxStack, Step } from './cloud.ts';

/** The state of a stack as a pure function of its stored plan and the time. */

export interface ResourceState {
  resource: Resource;
  state: 'creating' | 'ready' | 'updating' | 'deleting';
}

type StatesById = Map<string, ResourceState>;

export function resourceStatesAt(
  { base, steps }: Pick<SandboxStack, 'base' | 'steps'>,
  now: number,
): ResourceState[] {
  const states: StatesById = new Map(base.map((resource) => [resource.id, { resource, state: 'ready' }]));
  for (const step of steps) {
    if (now >= step.endsAt) finish(states, step);
    else if (now >= step.startsAt) begin(states, step);
  }
  return [...states.values()];
}

const stateDuring = { create: 'creating', update: 'updating', delete: 'deleting' } as const;

function begin(states: StatesById, { action, resource }: Step): void {
  const before = states.get(resource.id)?.resource ?? resource;
  states.set(resource.id, { resource: before, state: stateDuring[action] });
}

function finish(states: StatesById, { action, resource, failure }: Step): void {
  const isGone = failure === null ? action === 'delete' : action === 'create';
  if (isGone) states.delete(resource.id);
  else if (failure === null || action === 'delete') states.set(resource.id, { resource, state: 'ready' });
}

export const resourcesAt = (plan: Pick<SandboxStack, 'base' | 'steps'>, now: number): Resource[] =>
  resourceStatesAt(plan, now).map(({ resource }) => resource);

/** The resources after every step has ended. */
export const finalResources = (plan: Pick<SandboxStack, 'base' | 'steps'>): Resource[] =>
  resourcesAt(plan, Number.POSITIVE_INFINITY);

export type Phase = 'busy' | 'broken' | 'settled' | 'gone';

export function phaseOf(stack: SandboxStack, now: number): Phase {
  if (now < stack.endsAt) return 'busy';
  if (stack.failure !== null) return 'broken';
  return stack.doing === 'apply' ? 'settled' : 'gone';
}

/** The id of the steps with which a plan that failed is undone. */
export const rollbackOf = (turn: string): string => `${turn}:rollback`;

/** From the failure of a step to the end of the plan. Undefined: nothing is undone. */
export function undoingAt(stack: SandboxStack, now: number): Undoing | undefined {
  const { version, turns, steps, failure } = stack;
  if (failure === null || stack.doing !== 'apply' || phaseOf(stack, now) !== 'busy') return undefined;
  const turn = `${version}:${turns}`;
  // Steps of an earlier plan may fail too, without consequences for this one.
  if (!steps.some((step) => step.turn === turn && step.failure !== null && step.endsAt <= now))
    return undefined;
  const undone = steps.filter((step) => step.turn === rollbackOf(turn));
  const done = undone.filter(({ endsAt }) => endsAt <= now).length;
  return { cause: failure, ...(undone.length > 0 ? { progress: { done, of: undone.length } } : {}) };
}

/** The number of networks a stack has, for the quota. */
export const networksHeld = (stack: SandboxStack, now: number): number =>
  stack.networksUntil === null || now < stack.networksUntil ? stack.networks : 0;
