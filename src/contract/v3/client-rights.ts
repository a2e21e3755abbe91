import { Type } from 'typebox';
import { type ClientKind, clientKinds } from '../../model/client-kinds.ts';
import { route } from '../route.ts';
import { identifier } from './schemas/identifier.ts';
import { roleIdExample } from './schemas/role.ts';

export const clientKind = Type.Unsafe<ClientKind>(
  Type.String({
    enum: [...clientKinds],
    description:
      '`sign-in`: users sign in through it. `agent`: agent endpoints only. `service`: what its roles allow. ' +
      '`owner`: all of v2, agent endpoints of v3, and users sign in through it. See docs/users-and-roles.md.',
  }),
);

const client_id = identifier('API client id.');
const missing = { 404: { description: 'The API client or role does not exist.', schema: null } } as const;

export const changeClientKind = route({
  name: 'v3ChangeClientKind',
  method: 'PUT',
  path: '/v3/client/{client_id}/kind',
  access: 'master',
  proof: 'always',
  summary: 'Change the kind of an API client',
  description:
    'Revokes all tokens issued to the client, including user tokens, and detaches its roles. Its id and secret stay.',
  tag: 'API clients',
  params: Type.Object({ client_id }),
  bodyKind: 'fields',
  body: Type.Object({ kind: clientKind }),
  replies: {
    200: {
      description: 'The kind is changed.',
      schema: Type.Object({ status: Type.String(), client_id: Type.String(), kind: clientKind }),
    },
    404: { description: 'The API client does not exist.', schema: null },
  },
  examples: {
    body: { kind: 'sign-in' },
    reply: { status: 'success', client_id: '<CLIENT_ID>', kind: 'sign-in' },
  },
});

const roleOfClient = Type.Object({
  status: Type.String(),
  client_id: Type.String(),
  role_id: Type.String(),
});
const roleOfClientExample = { status: 'success', client_id: '<CLIENT_ID>', role_id: roleIdExample };

export const attachClientRole = route({
  name: 'v3AttachClientRole',
  method: 'POST',
  path: '/v3/client/{client_id}/role',
  access: 'master',
  proof: 'always',
  summary: 'Attach a role to an API client',
  description: 'Only a client of kind `service` has roles. Without one it may do nothing.',
  tag: 'API clients',
  params: Type.Object({ client_id }),
  bodyKind: 'fields',
  body: Type.Object({ role_id: identifier('Role id. `admin` allows everything.') }),
  replies: {
    200: { description: 'The role is attached.', schema: roleOfClient },
    ...missing,
    409: { description: 'The API client is not of kind `service`.', schema: null },
  },
  examples: { body: { role_id: roleIdExample }, reply: roleOfClientExample },
});

export const detachClientRole = route({
  name: 'v3DetachClientRole',
  method: 'DELETE',
  path: '/v3/client/{client_id}/role/{role_id}',
  access: 'master',
  summary: 'Detach a role from an API client',
  tag: 'API clients',
  params: Type.Object({ client_id, role_id: identifier('Role id.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The role is detached.', schema: roleOfClient }, ...missing },
  examples: { reply: roleOfClientExample },
});

export const clientRightsRoutes = [changeClientKind, attachClientRole, detachClientRole] as const;
