import type { listPersonalTokens as listRoute } from '../../../contract/v3/sign-in/personal-tokens.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listTokens: Run = async ({ api, args, out }) => {
  const username = args.text('user');
  const query = username === undefined ? {} : { username };
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/personal_token', { query });
  await out.document(text, () => ({
    header: ['TOKEN ID', 'NAME', 'ROLES', 'CREATED', 'EXPIRES', 'LAST USED'],
    rows: body.map((token) => [
      token.token_id,
      token.name,
      token.roles.length > 0 ? token.roles.join(', ') : 'own scope',
      tableTime(token.created),
      tableTime(token.expires),
      token.last_used === '' ? '-' : tableTime(token.last_used),
    ]),
  }));
};
