import { Type } from 'typebox';
import { route } from '../route.ts';
import { scopeExample } from './schemas/role.ts';

const scope = Type.Unknown({
  description: 'A draft of a role scope: JSON text, or in a JSON body the object itself.',
});
const decision = Type.String({ enum: ['allowed', 'denied'] });

export const explainAccess = route({
  name: 'v3ExplainAccess',
  method: 'POST',
  path: '/v3/role/explain',
  access: 'master',
  summary: 'Explain what a role decides',
  description:
    'Give `username` (their roles as they are) or `scope` (a draft), or both: the draft as if it were theirs.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({
    username: Type.Optional(Type.String({ minLength: 1 })),
    scope: Type.Optional(scope),
    action: Type.String({ minLength: 1, maxLength: 200, description: 'For instance `stack:deleteStack`.' }),
    resource: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'A name (`mrn:alm:stack:<id>`) or a bare id. Without one: may it be done to anything at all?',
      }),
    ),
  }),
  replies: {
    200: {
      description: 'The decision and what decided.',
      schema: Type.Object({
        decision,
        why: Type.String(),
        role_id: Type.String({ description: 'Of the role that decided; empty when nothing did.' }),
        statement: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Which of its statements, from 0.',
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
  summary: 'Rehearse a role on what was asked lately',
  description:
    'Runs a draft over the recorded requests of users and lists those it would decide differently.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({
    scope,
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'How far back. Default 7.' })),
    username: Type.Optional(Type.String({ minLength: 1, description: 'Only what this user asked for.' })),
  }),
  replies: {
    200: {
      description: 'What would change; at most 1,000 are listed.',
      schema: Type.Object({
        requests: Type.Integer({ description: 'How many were looked at.' }),
        changed: Type.Integer({ description: 'How many would be decided differently.' }),
        changes: Type.Array(
          Type.Object({
            number: Type.Integer({ description: 'Of the audit entry.' }),
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

export const roleRehearsalRoutes = [explainAccess, replayScope];
