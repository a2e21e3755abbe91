import type { listRoleTemplates as listRoute } from '../../../contract/v3/roles.ts';
import type { Run } from '../../command.ts';

export const listScopeTemplates: Run = async ({ api, out }) => {
  const { text } = await api.call<typeof listRoute>('GET', '/v3/role/templates');
  await out.document(text);
};
