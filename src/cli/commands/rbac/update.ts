import type { updateRole as updateRoute } from '../../../contract/v3/roles.ts';
import type { Run } from '../../command.ts';
import { saveRole } from './save-role.ts';

export const updateRole: Run = (context) => {
  const params = { role_id: context.args.required('role-id') };
  return saveRole(context, (body) =>
    context.api.call<typeof updateRoute>('PUT', '/v3/role/{role_id}', { params, body, encoding: 'form' }),
  );
};
