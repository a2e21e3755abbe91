import type { listClients as listRoute } from '../../../contract/v3/clients.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listClients: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/client');
  await out.document(text, () => ({
    header: ['CLIENT ID', 'LABEL', 'KIND', 'ROLES', 'USERS', 'CREATED'],
    rows: body.map((client) => [
      client.client_id,
      client.label,
      client.kind,
      client.roles.join(', '),
      client.users.join(', '),
      tableTime(client.create_time),
    ]),
  }));
  for (const { client_id: id, warning } of body) if (warning) out.warn(`${id}: ${warning}`);
};
