import type {
  createClient as creating,
  deleteClient as deleting,
  listClients as listing,
  rotateClient as rotating,
} from '../../../contract/v3/clients.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { tableTime } from '../../view/table.ts';
import { sayReply } from '../said-reply.ts';

export const listClients: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof listing>('GET', '/v3/client');
  await out.document(text, () => ({
    header: ['CLIENT ID', 'LABEL', 'CREATED'],
    rows: body.map((client) => [client.client_id, client.label, tableTime(client.create_time)]),
  }));
};

async function saySecret(context: Context, reply: Reply<unknown>): Promise<void> {
  context.out.keepPrivate();
  await sayReply(context, reply);
  context.out.info('The secret is shown this once: keep it where your other secrets are.');
}

export const createClient: Run = async (context) => {
  const body = { label: context.args.required('label') };
  await saySecret(context, await context.api.call<typeof creating>('POST', '/v3/client', { body }));
};

const params = ({ args }: Context) => ({ client_id: args.required('client-id') });

export const rotateClient: Run = async (context) => {
  const input = { params: params(context) };
  await saySecret(
    context,
    await context.api.call<typeof rotating>('POST', '/v3/client/{client_id}/rotate', input),
  );
};

export const deleteClient: Run = async (context) => {
  const input = { params: params(context) };
  await sayReply(context, await context.api.call<typeof deleting>('DELETE', '/v3/client/{client_id}', input));
};
