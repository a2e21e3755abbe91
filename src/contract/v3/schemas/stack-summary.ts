import { type Static, Type } from 'typebox';
import { type Operation, operations } from '../../../model/status.ts';
import { applicationMembers } from './rollout.ts';
import { stackMembers } from './stack.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const time = (description: string) =>
  Type.String({ description: `${description}, ISO 8601 with a numeric offset.` });

export const driftStates = ['never_checked', 'checking', 'in_sync', 'drifted', 'failed'] as const;

const drift = Type.Object({
  state: Type.Unsafe<(typeof driftStates)[number]>(Type.String({ enum: [...driftStates] })),
  checked_at: Type.Union([Type.String(), Type.Null()], {
    description: 'End time of the last check. Null if no check has ended.',
  }),
});

const version = Type.Object({
  version_id: Type.String({ description: 'Current version.' }),
  label: Type.String({ description: 'Label from the template. May be empty.' }),
  last_modified: Type.String({ description: 'Time of submission, ISO 8601 UTC with milliseconds.' }),
  created_by: Type.String({ description: 'User who submitted the version.' }),
});

const operation = Type.Object({
  kind: Type.Unsafe<Operation>(Type.String({ enum: [...operations] })),
  started_at: time('Time of the request'),
  requested_by: Type.String({ description: 'User who requested it. Empty if it was not recorded.' }),
  expected: orNull(
    Type.Object({ p50_seconds: Type.Number(), p90_seconds: Type.Number() }),
    'Usual duration, from past operations of the account. Null if there are none, and while `doing` is `undoing`.',
  ),
});

const { stack_id, nickname, create_time, stack_status, stack_status_reason } = stackMembers;

/** One line of a list of stacks. Contains no document, no output and no secret. */
export const stackSummary = Type.Object(
  {
    stack_id,
    nickname,
    stack_status,
    stack_status_reason,
    ...applicationMembers,
    username: Type.String({ description: 'User who created the stack.' }),
    vendor: Type.String(),
    region: Type.String(),
    cred: Type.String({ description: 'Id of the credential. `SANDBOX`: the sandbox, whatever the vendor.' }),
    interface: Type.Unsafe<'v2' | 'v3'>(
      Type.String({ enum: ['v2', 'v3'], description: 'API version whose routes serve the stack.' }),
    ),
    instances: Type.Object({
      running: Type.Integer(),
      wanted: Type.Integer({ description: 'What the current version asks for; of a group, its minimum.' }),
    }),
    drift: orNull(
      drift,
      'Last known result of a drift check. Null if none was asked for since the last update.',
    ),
    version,
    create_time,
    update_time: time('Last change of status'),
    operation: orNull(operation, 'The operation in progress. Null if none is.'),
  },
  { $id: 'StackSummary' },
);

export type StackSummary = Static<typeof stackSummary>;
