import type { Static } from 'typebox';
import type { listRoles, listRoleTemplates } from '../../../contract/v3/roles.ts';
import type { role } from '../../../contract/v3/schemas/role.ts';
import type { listOwnRoles, listRolesOfUser } from '../../../contract/v3/user-roles.ts';
import type { Context, Run } from '../../command.ts';
import type { Reply } from '../../net/api.ts';
import { tableTime } from '../../view/table.ts';

type Role = Static<typeof role>;

/** Enough of a scope to tell it from others: its first 23 characters. */
const shortScope = (scope: string): string => {
  const line = scope.replaceAll(/\s+/g, ' ').trim();
  const [start] = /^.{23}(?=.)/su.exec(line) ?? [];
  return start === undefined ? line : `${start}...`;
};

const roleTime = (time: string): string => (Number.isNaN(Date.parse(time)) ? '-' : tableTime(time));

const rolesAsked = ({ api, args }: Context): Promise<Reply<Role[]>> => {
  const username = args.text('user') ?? '';
  return username === ''
    ? api.call<typeof listRoles>('GET', '/v3/role')
    : api.call<typeof listRolesOfUser>('GET', '/v3/user/{username}/role', { params: { username } });
};

export const describeRoles: Run = async (context) => {
  const { out } = context;
  const { text, body, statusLine } = await rolesAsked(context);
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

export const describeOwnRoles: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof listOwnRoles>('GET', '/v3/user/role');
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

export const listScopeTemplates: Run = async ({ api, out }) => {
  const { text } = await api.call<typeof listRoleTemplates>('GET', '/v3/role/templates');
  await out.document(text);
};

const sample = {
  Version: '2017-05-05',
  Statement: [
    {
      Effect: 'Deny',
      Action: ['stack:describeStacks'],
      Resource: ['mrn:alm:stack:mo-5447826c870e7-aB3dE6gH9-tk'],
    },
    { Effect: 'Allow', Action: ['*'], Resource: ['*'] },
  ],
};

export const printSample: Run = ({ out }) => out.document(JSON.stringify(sample));
