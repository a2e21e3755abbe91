import type { listOwnTokens, listTokensOfUser } from '../../../contract/v3/sign-in/own-tokens.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listSignIns: Run = async ({ api, args, out }) => {
  const username = args.text('user');
  const { text, body } =
    username === undefined
      ? await api.call<typeof listOwnTokens>('GET', '/v3/token')
      : await api.call<typeof listTokensOfUser>('GET', '/v3/user/{username}/token', { params: { username } });
  await out.document(text, () => ({
    header: ['TOKEN ID', 'CURRENT', 'GRANT', 'CLIENT ID', 'ADDRESS', 'PROGRAM', 'SIGNED IN', 'LAST USED'],
    rows: body.map((each) => [
      each.token_id,
      each.current ? 'yes' : '',
      each.grant_type,
      each.client_id,
      each.address,
      each.user_agent,
      tableTime(each.issued),
      each.last_used === '' ? '-' : tableTime(each.last_used),
    ]),
  }));
};
