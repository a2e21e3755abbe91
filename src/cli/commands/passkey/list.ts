import type { listPasskeys as listRoute } from '../../../contract/v3/sign-in/passkeys.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listPasskeys: Run = async ({ api, args, out }) => {
  const username = args.text('user');
  const query = username === undefined ? {} : { username };
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/passkey', { query });
  await out.document(text, () => ({
    header: ['PASSKEY ID', 'NAME', 'ADDED', 'LAST USED'],
    rows: body.map((passkey) => [
      passkey.passkey_id,
      passkey.name,
      tableTime(passkey.create_time),
      passkey.last_used === '' ? '-' : tableTime(passkey.last_used),
    ]),
  }));
};
