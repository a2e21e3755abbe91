import type { describeSession } from '../../../contract/v3/sign-in/session.ts';
import type { listOwnRoles as listRoute } from '../../../contract/v3/user-roles.ts';
import type { Context, Run } from '../../command.ts';
import { roleTime, shortScope } from './role-cells.ts';

/** What applies to a user without roles. */
async function showDefault({ api, out }: Context): Promise<void> {
  const { body } = await api.call<typeof describeSession>('GET', '/v3/session');
  if (body.user?.master) return out.info('You are the master: roles do not limit you.');
  out.info('You have no roles, so the default scope applies: "user" of alm rbac templates.');
  out.more('What it allows: alm whoami --permissions');
}

export const listOwnRoles: Run = async (context) => {
  const { api, out } = context;
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
  if (body.length === 0 && out.format === 'table') await showDefault(context);
};
