import { Type } from 'typebox';
import { type StackStatus, stackStatuses } from '../../../model/status.ts';
import { cache, databaseInstance, instance } from './instance.ts';

export const stackStatus = Type.Unsafe<StackStatus>(
  Type.String({ enum: [...stackStatuses], description: 'What the stack is going through.' }),
);

const output = Type.Object({
  OutputKey: Type.String(),
  OutputValue: Type.String(),
  Description: Type.Optional(Type.String()),
});

const listed = {
  stack_id: Type.String(),
  auth_token: Type.String({ description: "The stack's own secret: its agents sign in with it." }),
  user_id: Type.String({ description: 'The account that owns it.' }),
  username: Type.String({ description: 'Who created it.' }),
  nickname: Type.String(),
  vendor: Type.String(),
  configuration: Type.Object({}, { description: 'The template as applied, less every secret.' }),
  create_time: Type.String({ description: 'ISO 8601 with a numeric offset.' }),
  update_time: Type.String({ description: 'ISO 8601 with a numeric offset.' }),
  stack_status: stackStatus,
  stack_status_reason: Type.String({ description: 'Why it failed, or what it waits for; may be empty.' }),
  version_id: Type.String({ description: 'The current template version.' }),
  stack_outputs: Type.Array(output),
};

export const listedStack = Type.Object(listed, { $id: 'ListedStack' });

export const stack = Type.Object(
  {
    ...listed,
    instances: Type.Union([Type.Array(instance), Type.Record(Type.String(), Type.Array(instance))], {
      description: 'A list; for API clients set to the older form, an object from layer flag to list.',
    }),
    dbinstances: Type.Array(databaseInstance),
    caches: Type.Array(cache),
  },
  { $id: 'Stack' },
);

export const stackEvent = Type.Object(
  {
    event_id: Type.Integer({ description: 'Rises with time; pass the last one as `after` to read on.' }),
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

export const stackParams = Type.Object({ stack_id: Type.String({ minLength: 1, maxLength: 128 }) });

/** Headers any write understands. */
export const writeHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The same key with the same body gives the same answer.',
    }),
  ),
  'if-match': Type.Optional(
    Type.String({ description: 'A version_id: refuse with 412 unless it is still the current one.' }),
  ),
});
