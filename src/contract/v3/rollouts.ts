import { Type } from 'typebox';
import { route } from '../route.ts';
import { updateDataQuery } from './schemas/data.ts';
import { rollout } from './schemas/rollout.ts';
import { stackParams, writeHeaders } from './schemas/stack.ts';
import { accepted, acceptedExample } from './templates.ts';

export const listRollouts = route({
  name: 'v3ListRollouts',
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/rollouts',
  access: { action: 'stack:describeStack' },
  summary: 'List rollouts',
  description:
    'How revisions of the containers and code of a stack got to its instances, the newest first. Rollouts of the current revisions have their instances.',
  tag: 'Rollouts',
  params: stackParams,
  query: Type.Object({
    flag: Type.Optional(Type.String({ maxLength: 64, description: 'Only of this layer.' })),
    version_id: Type.Optional(Type.String({ maxLength: 128, description: 'Only of this version.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default 20.' })),
  }),
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The rollouts.',
      schema: Type.Object({ rollouts: Type.Array(rollout) }, { $id: 'Rollouts' }),
    },
  },
});

export const returnRollout = route({
  name: 'v3ReturnRollout',
  method: 'POST',
  path: '/v3/alm/stack/{stack_id}/rollouts/return',
  access: { action: 'template:updateAlmTemplate' },
  summary: 'Go back to the version before',
  description:
    'Makes the last version whose containers served the current one again, as a new version. 409 if the current version serves, or if there is none to go back to.',
  tag: 'Rollouts',
  params: stackParams,
  headers: writeHeaders,
  query: Type.Object(updateDataQuery),
  bodyKind: 'none',
  replies: { 202: { description: 'The return has begun.', schema: accepted } },
  examples: { reply: acceptedExample('UPDATE_IN_PROGRESS') },
});

export const rolloutRoutes = [listRollouts, returnRollout] as const;
