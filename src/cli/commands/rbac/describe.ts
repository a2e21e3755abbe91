import type { Static } from 'typebox';
import type { listRoles } from '../../../contract/v3/roles.ts';
import type { role } from '../../../contract/v3/schemas/role.ts';
import type { listRolesOfUser } from '../../../contract/v3/user-roles.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { roleTime, shortScope } from './role-cells.ts';

const fetchRoles = ({ api, args }: Context): Promise<Reply<Static<typeof role>[]>> => {
  const username = args.text('user') ?? '';
  return username === ''
    ? api.call<typeof listRoles>('GET', '/v3/role')
    : api.call<typeof listRolesOfUser>('GET', '/v3/user/{username}/role', { params: { username } });
};

export const describeRoles: Run = async (context) => {
  const { out } = context;
  const { text, body, statusLine } = await fetchRoles(context);
  if (out.format === 'table') out.info(`[${statusLine}]`);
  await out.document(text, () => ({
    header: ['ROLE ID', 'USER ID', 'NAME', 'CREATE TIME', 'UPDATE TIME', 'SCOPE'],
    rows: body.map((each) => [
      each.role_id,
      each.user_id,
      each.name,
      roleTime(each.create_time),
      roleTime(each.update_time),
      shortScope(each.scope),
    ]),
  }));
};
