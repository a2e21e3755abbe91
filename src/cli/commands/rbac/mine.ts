import type { listOwnRoles as listRoute } from '../../../contract/v3/user-roles.ts';
import type { Run } from '../../command.ts';
import { roleTime, shortScope } from './role-cells.ts';

export const listOwnRoles: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/user/role');
  await out.document(text, () => ({
    header: ['ROLE ID', 'USER ROLE ID', 'CREATE TIME', 'UPDATE TIME', 'SCOPE'],
    rows: body.map((each) => [
      each.role_id,
      each.user_role_id,
      roleTime(each.create_time),
      roleTime(each.update_time),
      shortScope(each.scope),
    ]),
  }));
};
