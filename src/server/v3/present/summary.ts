import type { Static } from 'typebox';
import { offsetTime, utcTime } from '../../../basics/clock.ts';
import type { stackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import { doingOf, doingReason } from '../../../operations/stacks/read/doing.ts';
import type { StackSummary } from '../../../operations/stacks/read/summarize-stacks.ts';
import { keptTexts } from '../../http/send/json-text.ts';

type Presented = Static<typeof stackSummary>;

const operationOf = (stack: StackSummary): Presented['operation'] =>
  stack.status.endsWith('_IN_PROGRESS')
    ? {
        kind: stack.operation,
        started_at: offsetTime(stack.updated_at),
        requested_by: stack.requested_by,
        expected: stack.expected && {
          p50_seconds: stack.expected.p50 / 1000,
          p90_seconds: stack.expected.p90 / 1000,
        },
      }
    : null;

const driftOf = ({ drift_state: state, drift_checked_at: checkedAt }: StackSummary): Presented['drift'] =>
  state && { state, checked_at: checkedAt === null ? null : offsetTime(checkedAt) };

export const presentSummary = (stack: StackSummary): Presented => ({
  stack_id: stack.id,
  nickname: stack.nickname,
  stack_status: stack.status,
  stack_status_reason: stack.status_reason,
  health: stack.health,
  health_reason: stack.health_reason,
  doing: doingOf(stack),
  doing_reason: doingReason(stack),
  username: stack.created_by,
  vendor: stack.vendor,
  region: stack.region,
  cred: stack.credential_id,
  interface: stack.language,
  instances: { running: stack.running, wanted: stack.version.wanted },
  drift: driftOf(stack),
  version: {
    version_id: stack.version.id,
    label: stack.version.label,
    last_modified: utcTime(stack.version.created_at),
    created_by: stack.version.created_by,
  },
  create_time: offsetTime(stack.created_at),
  update_time: offsetTime(stack.updated_at),
  operation: operationOf(stack),
});

export const summaryText = keptTexts(presentSummary);
