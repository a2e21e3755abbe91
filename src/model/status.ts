/** Status values of a stack, and predicates on them. */
export const operations = ['CREATE', 'UPDATE', 'DELETE'] as const;
const phases = ['IN_PROGRESS', 'COMPLETE', 'FAILED'] as const;

export type Operation = (typeof operations)[number];
export type Phase = (typeof phases)[number];
export type StackStatus = `${Operation}_${Phase}`;

export const statusOf = (operation: Operation, phase: Phase): StackStatus => `${operation}_${phase}`;

export const stackStatuses: readonly StackStatus[] = operations.flatMap((operation) =>
  phases.map((phase) => statusOf(operation, phase)),
);

export const isInProgress = (status: StackStatus): boolean => status.endsWith('_IN_PROGRESS');
export const isComplete = (status: StackStatus): boolean => status.endsWith('_COMPLETE');
/** Removed from the vendor: no longer listed, and described only for a retention period. */
export const isDeleted = (status: StackStatus): boolean => status === 'DELETE_COMPLETE';

/** What a picture of a stack tells apart. */
export const resourceKinds = [
  'network',
  'balancer',
  'server',
  'group',
  'database',
  'cache',
  'container',
  'other',
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Status values of one resource of a stack. */
export const resourceStatuses = [
  'waiting',
  'creating',
  'updating',
  'deleting',
  'complete',
  'failed',
  'deleted',
  'kept',
  'absent',
] as const;
export type ResourceStatus = (typeof resourceStatuses)[number];
