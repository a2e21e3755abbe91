import { Type } from 'typebox';
import { maxSecretName, secretNamePattern } from '../../../model/secret-name.ts';
import { route } from '../../route.ts';

const tag = 'Secrets';

const listedSecret = Type.Object(
  {
    name: Type.String(),
    revision: Type.Integer({ description: 'Increases with every other value.' }),
    created_by: Type.String({ description: 'Who created it. Its owner in roles.' }),
    updated_by: Type.String({ description: 'Who set its value last.' }),
    updated_at: Type.String({ description: 'When. ISO 8601.' }),
    stacks: Type.Array(Type.Object({ stack_id: Type.String(), nickname: Type.String() }), {
      description: 'Stacks with containers that get it, as far as the caller may see them.',
    }),
  },
  { $id: 'Secret' },
);

const secretParams = Type.Object({
  secret_name: Type.String({
    minLength: 1,
    maxLength: maxSecretName,
    pattern: secretNamePattern,
    description: 'Name of the secret: letters, digits, `_`, `.` and `-`, starting with a letter or `_`.',
  }),
});

export const listSecrets = route({
  name: 'v3ListSecrets',
  method: 'GET',
  path: '/v3/alm/secret',
  access: { action: 'secret:describeSecrets' },
  summary: 'List secrets',
  description:
    'Returns the secrets that containers of the account can get with `container_secrets`, by name. Their values are never returned.',
  tag,
  bodyKind: 'none',
  replies: { 200: { description: 'The secrets.', schema: Type.Array(listedSecret) } },
  examples: {
    reply: [
      {
        name: 'db-password',
        revision: 2,
        created_by: 'root',
        updated_by: 'ann',
        updated_at: '2026-11-18T09:00:00.000Z',
        stacks: [{ stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk', nickname: 'shop' }],
      },
    ],
  },
});

export const setSecret = route({
  name: 'v3SetSecret',
  method: 'PUT',
  path: '/v3/alm/secret/{secret_name}',
  access: { action: 'secret:setSecret' },
  summary: 'Set a secret',
  description:
    'Creates a secret, or gives it another value. Containers that use it are deployed again with the new value, without a new version of their stacks. ' +
    'The value is sealed in the database and only given to the agents of stacks that use it.',
  tag,
  params: secretParams,
  bodyKind: 'fields',
  body: Type.Object({
    value: Type.String({
      minLength: 1,
      maxLength: 65_536,
      format: 'password',
      description: 'The value: text of at most 64 KiB.',
    }),
  }),
  replies: {
    200: {
      description: 'The secret has this value.',
      schema: Type.Object({
        status: Type.String(),
        changed: Type.Boolean({ description: 'False: it had this value before.' }),
        stacks: Type.Array(Type.String(), { description: 'Stacks that are deployed again.' }),
      }),
    },
    409: { description: 'The account has too many secrets.', schema: null },
  },
  examples: {
    body: { value: '<SECRET>' },
    reply: { status: 'success', changed: true, stacks: ['mo-5447826c870e7-aB3dE6gH9-tk'] },
  },
});

export const deleteSecret = route({
  name: 'v3DeleteSecret',
  method: 'DELETE',
  path: '/v3/alm/secret/{secret_name}',
  access: { action: 'secret:deleteSecret' },
  summary: 'Delete a secret',
  description: '409 if a stack uses it.',
  tag,
  params: secretParams,
  bodyKind: 'none',
  replies: {
    200: { description: 'It is deleted.', schema: Type.Object({ status: Type.String() }) },
    409: { description: 'Stacks use it.', schema: null },
  },
  examples: { reply: { status: 'success' } },
});

export const secretRoutes = [listSecrets, setSecret, deleteSecret] as const;
