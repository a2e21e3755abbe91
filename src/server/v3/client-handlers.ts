import { offsetTime } from '../../basics/clock.ts';
import type * as clients from '../../contract/v3/clients.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  type ClientWithSecret,
  createClient,
  describeClients,
  type ListedClient,
  removeClient,
  rotateClient,
} from '../../operations/access/api-clients.ts';
import {
  attachClientRole,
  changeClientKind,
  detachClientRole,
} from '../../operations/access/client-rights.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, reply } from '../http/binding.ts';

/** The only reply that contains the secret: no cache may store it. */
const showOnce = ({ id, secret, kind }: ClientWithSecret) =>
  reply({
    headers: { 'cache-control': 'no-store' },
    body: { status: 'success', client_id: id, kind, client_secret: secret.reveal() },
  });

const presentClient = ({ id, label, createdAt, kind, roleIds, users, warning }: ListedClient) => ({
  client_id: id,
  label,
  create_time: offsetTime(createdAt),
  kind,
  roles: roleIds,
  users,
  ...(warning === null ? {} : { warning }),
});

export const clientHandlers = (service: Service): Handlers<typeof clients.clientRoutes, Actor> => ({
  createClient: async ({ actor, body }) => showOnce(await createClient(service, actor, body)),
  listClients: async ({ actor }) => (await describeClients(service, actor)).map(presentClient),
  deleteClient: async ({ actor, params }) => {
    await removeClient(service, actor, params.client_id);
    return { status: 'success', client_id: params.client_id };
  },
  rotateClient: async ({ actor, params }) => showOnce(await rotateClient(service, actor, params.client_id)),
  changeClientKind: async ({ actor, params, body: { kind } }) => {
    await changeClientKind(service, actor, { id: params.client_id, kind });
    return { status: 'success', client_id: params.client_id, kind };
  },
  attachClientRole: async ({ actor, params, body }) => {
    const wanted = { clientId: params.client_id, roleId: body.role_id };
    const role_id = await attachClientRole(service, actor, wanted);
    return { status: 'success', client_id: params.client_id, role_id };
  },
  detachClientRole: async ({ actor, params }) => {
    const wanted = { clientId: params.client_id, roleId: params.role_id };
    const role_id = await detachClientRole(service, actor, wanted);
    return { status: 'success', client_id: params.client_id, role_id };
  },
});
