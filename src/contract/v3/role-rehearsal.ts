import { Type } from 'typebox';
import { route } from '../route.ts';
import { scopeExample } from './schemas/role.ts';

const scope = Type.Unknown({
  description: 'Draft of a role scope: a JSON string or, in a JSON body, an object.',
});
const decision = Type.String({ enum: ['allowed', 'denied'] });

export const explainAccess = route({
  name: 'v3ExplainAccess',
  method: 'POST',
  path: '/v3/role/explain',
  access: 'master',
  summary: 'Explain an access decision',
  description:
    'Set `username` to evaluate the current roles of a user, `scope` to evaluate a draft, or both to evaluate the draft ' +
    'as if it were the only role of the user.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.Optional(Type.String({ minLength: 1 })),
    scope: Type.Optional(scope),
    action: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Action to evaluate, such as `stack:deleteStack`.',
    }),
    resource: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Resource name (`mrn:alm:stack:<id>`) or id. If omitted, checks whether the action is allowed on any resource.',
      }),
    ),
  }),
  replies: {
    200: {
      description: 'The decision, and the statement that determined it.',
      schema: Type.Object({
        decision,
        why: Type.String(),
        role_id: Type.String({ description: 'Role that determined the decision. Empty if none did.' }),
        statement: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Index of the statement in the role, starting at 0.',
        }),
      }),
    },
  },
  examples: {
    body: {
      username: 'ann',
      action: 'stack:deleteStack',
      resource: 'mrn:alm:stack:mo-5447826c870e7-aB3dE6gH9-tk',
    },
  },
});

export const replayScope = route({
  name: 'v3ReplayScope',
  method: 'POST',
  path: '/v3/role/replay',
  access: 'master',
  summary: 'Replay recent requests against a scope',
  description:
    'Evaluates a draft scope against recorded user requests and lists those with a different decision.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({
    scope,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, description: 'Number of days to look back. Default: 7.' }),
    ),
    username: Type.Optional(
      Type.String({ minLength: 1, description: 'Evaluate only requests of this user.' }),
    ),
  }),
  replies: {
    200: {
      description: 'The changed decisions, at most 1,000.',
      schema: Type.Object({
        requests: Type.Integer({ description: 'Number of evaluated requests.' }),
        changed: Type.Integer({ description: 'Number of requests with a different decision.' }),
        changes: Type.Array(
          Type.Object({
            number: Type.Integer({ description: 'Number of the audit entry.' }),
            time: Type.String(),
            actor: Type.String(),
            action: Type.String(),
            resource: Type.String(),
            was: decision,
            would_be: decision,
            why: Type.String(),
          }),
        ),
      }),
    },
  },
  examples: { body: { scope: scopeExample, days: 7 } },
});

export const roleRehearsalRoutes = [explainAccess, replayScope] as const;
