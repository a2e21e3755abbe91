import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import { formatDuration } from '../../follow/texts.ts';
import { ageOf } from '../../view/ages.ts';
import { doingText } from '../../view/doing.ts';
import { type Table, tableTime } from '../../view/table.ts';

/** Why a stack needs attention, the most urgent first. */
const urgencies = ['failed', 'down', 'degraded', 'in progress', 'drifted', 'complete'] as const;
type Urgency = (typeof urgencies)[number];

function urgencyOf({ stack_status: status, health, drift }: StackSummary): Urgency {
  if (status.endsWith('_FAILED')) return 'failed';
  // What is coming or going need not serve.
  const isThere = status !== 'CREATE_IN_PROGRESS' && !status.startsWith('DELETE_');
  if (isThere && (health === 'down' || health === 'degraded')) return health;
  if (status.endsWith('_IN_PROGRESS')) return 'in progress';
  return drift?.state === 'drifted' ? 'drifted' : 'complete';
}

/** Whether it needs attention. */
export const isBad = (stack: StackSummary): boolean =>
  ['failed', 'down', 'degraded'].includes(urgencyOf(stack));

const rankOf = (stack: StackSummary): number => urgencies.indexOf(urgencyOf(stack));

/** What needs attention first; otherwise the order of the service. */
export const byUrgency = (stacks: readonly StackSummary[]): StackSummary[] =>
  stacks.toSorted((one, other) => rankOf(one) - rankOf(other));

/** `1 failed, 2 in progress` */
export function countText(stacks: readonly StackSummary[]): string {
  const counts = urgencies.flatMap((urgency) => {
    const count = stacks.filter((stack) => urgencyOf(stack) === urgency).length;
    return count > 0 ? [`${count} ${urgency}`] : [];
  });
  return counts.join(', ') || 'no stacks';
}

function timeText({ started_at, expected }: NonNullable<StackSummary['operation']>, now: number): string {
  const passed = Math.max(0, now - Date.parse(started_at)) / 1000;
  if (!expected) return `for ${formatDuration(passed)}`;
  if (passed < expected.p50_seconds) return `${formatDuration(expected.p50_seconds - passed)} left`;
  if (passed <= expected.p90_seconds) return 'almost done';
  return `longer than usual: for ${formatDuration(passed)}`;
}

/** A failed change that is undone has a reason, and no time that was learned from successful ones. */
function operationText(stack: StackSummary, now: number): string {
  const { operation } = stack;
  const doing = doingText(stack);
  if (doing !== '' || !operation) return doing;
  const by = operation.requested_by === '' ? '' : `, by ${operation.requested_by}`;
  return timeText(operation, now) + by;
}

/** The reason of a failure, why the application does not serve, the time left of an operation, the time of a drift check. */
export function detailOf(stack: StackSummary, now: number): string {
  const { drift, stack_status_reason: reason, health, health_reason: healthReason } = stack;
  const urgency = urgencyOf(stack);
  const parts = [
    urgency === 'failed' ? reason : operationText(stack, now),
    health === 'serving' || health === 'none' || reason.includes(healthReason) ? '' : healthReason,
    urgency === 'drifted' ? `drifted, checked ${tableTime(drift?.checked_at ?? '')}` : '',
  ];
  return parts.filter((part) => part).join(' ');
}

/** The vendor, or the sandbox in its place, and the region. */
const platformOf = ({ vendor, cred, region }: StackSummary): string =>
  `${cred === 'SANDBOX' ? 'sandbox' : vendor} ${region}`.trim();

/** Table of the stacks, in the given order. With ages for people: programs get the columns that they know. */
export function statusTable(stacks: readonly StackSummary[], now: number, withAge: boolean): Table {
  const age = (stack: StackSummary): string[] =>
    withAge ? [ageOf(Date.parse(stack.create_time), now).replace(/ ago$/, '')] : [];
  return {
    priority: ['STACK NAME', 'STATUS', 'HEALTH', 'STACK ID', 'DETAIL', 'AGE', 'RUNNING'],
    header: [
      'STACK ID',
      'STACK NAME',
      'STATUS',
      'HEALTH',
      'RUNNING',
      'PLATFORM',
      'API',
      ...(withAge ? ['AGE'] : []),
      'DETAIL',
    ],
    rows: stacks.map((stack) => [
      stack.stack_id,
      stack.nickname,
      stack.stack_status,
      stack.health ?? '',
      `${stack.instances.running}/${stack.instances.wanted}`,
      platformOf(stack),
      stack.interface,
      ...age(stack),
      detailOf(stack, now),
    ]),
  };
}
