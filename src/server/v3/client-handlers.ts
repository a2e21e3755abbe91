import { offsetTime } from '../../basics/clock.ts';
import type * as clients from '../../contract/v3/clients.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  type ClientWithSecret,
  createClient,
  describeClients,
  removeClient,
  rotateClient,
} from '../../operations/access/api-clients.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, reply } from '../http/binding.ts';

/** The only reply that contains the secret: no cache may store it. */
const showOnce = ({ id, secret }: ClientWithSecret) =>
  reply({
    headers: { 'cache-control': 'no-store' },
    body: { status: 'success', client_id: id, client_secret: secret.reveal() },
  });

export const clientHandlers = (service: Service): Handlers<typeof clients.clientRoutes, Actor> => ({
  createClient: async ({ actor, body }) => showOnce(await createClient(service, actor, body.label)),
  listClients: async ({ actor }) =>
    (await describeClients(service, actor)).map(({ id, label, createdAt }) => ({
      client_id: id,
      label,
      create_time: offsetTime(createdAt),
    })),
  deleteClient: async ({ actor, params }) => {
    await removeClient(service, actor, params.client_id);
    return { status: 'success', client_id: params.client_id };
  },
  rotateClient: async ({ actor, params }) => showOnce(await rotateClient(service, actor, params.client_id)),
});
