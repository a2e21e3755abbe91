import type { describeUsers as listRoute } from '../../../contract/v3/users.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listUsers: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/user');
  const users = Array.isArray(body) ? body : [];
  await out.document(text, () => ({
    header: ['USER NAME', 'USER ID', 'EMAIL', 'MASTER', 'CREATED', 'LAST LOGIN'],
    rows: users.map((user) => [
      user.username,
      user.user_id,
      user.email,
      String(user.master),
      tableTime(user.create_time),
      user.last_login === '' ? '-' : tableTime(user.last_login),
    ]),
  }));
};
