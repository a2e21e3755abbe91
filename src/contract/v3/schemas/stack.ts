import { Type } from 'typebox';
import { type StackStatus, stackStatuses } from '../../../model/status.ts';
import { cache, databaseInstance, instance } from './instance.ts';
import { applicationMembers } from './rollout.ts';

export const stackStatus = Type.Unsafe<StackStatus>(
  Type.String({ enum: [...stackStatuses], description: 'Status of the stack.' }),
);

const output = Type.Object({
  OutputKey: Type.String(),
  OutputValue: Type.String(),
  Description: Type.Optional(Type.String()),
});

/** Members of a stack in both API versions. */
export const stackMembers = {
  stack_id: Type.String(),
  auth_token: Type.String({ description: 'Secret of the stack, used by its agents to sign in.' }),
  user_id: Type.String({ description: 'Account that owns the stack.' }),
  nickname: Type.String({ description: 'Display name.' }),
  create_time: Type.String({ description: 'ISO 8601 timestamp with a numeric offset.' }),
  stack_status: stackStatus,
  stack_status_reason: Type.String({
    description: 'Why the operation failed, or what it is waiting for. May be empty.',
  }),
};

/** Absent with `view=details`: a page needs no secret. */
export const authTokenUnlessDetails = Type.Optional(
  Type.String({
    description: 'Secret of the stack, used by its agents to sign in. Absent with `view=details`.',
  }),
);

const listed = {
  ...stackMembers,
  username: Type.String({ description: 'User who created the stack.' }),
  vendor: Type.String(),
  configuration: Type.Object({}, { description: 'The applied template without secrets.' }),
  update_time: Type.String({ description: 'ISO 8601 timestamp with a numeric offset.' }),
  version_id: Type.String({ description: 'Current template version.' }),
  stack_outputs: Type.Array(output),
  ...applicationMembers,
};

export const listedStack = Type.Object(listed, { $id: 'ListedStack' });

export const stack = Type.Object(
  {
    ...listed,
    auth_token: authTokenUnlessDetails,
    instances: Type.Union([Type.Array(instance), Type.Record(Type.String(), Type.Array(instance))], {
      description:
        'An array or, if the server sets ALM_COMPAT_INSTANCES_BY_FLAG, an object that maps layer flags to arrays.',
    }),
    dbinstances: Type.Array(databaseInstance),
    caches: Type.Array(cache),
  },
  { $id: 'Stack' },
);

export const stackEvent = Type.Object(
  {
    event_id: Type.Integer({
      description: 'Increases over time. Pass the last one as `after` to get later events.',
    }),
    time: Type.String(),
    kind: Type.String(),
    resource: Type.String(),
    resource_type: Type.String(),
    status: Type.String(),
    message: Type.String(),
    version_id: Type.String(),
  },
  { $id: 'StackEvent' },
);

export const stackParams = Type.Object({
  stack_id: Type.String({ minLength: 1, maxLength: 128, description: 'Stack id.' }),
});

/** Request headers of all routes that change a stack. */
export const writeHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Makes retries safe: repeating a request with the same key returns the same response.',
    }),
  ),
  'if-match': Type.Optional(
    Type.String({
      description: 'A `version_id`. The request fails with 412 unless it is the current version.',
    }),
  ),
});
