import type { deleteRole } from '../../../contract/v3/roles.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { accessChanged } from '../people.ts';
import { heldBy } from './held-by.ts';

interface DeleteRoleProps {
  roleId: string;
  name: string;
  holders: readonly string[];
  onDeleted: () => void;
  onClose: () => void;
}

export const DeleteRole = ({ roleId, name, holders, onDeleted, onClose }: DeleteRoleProps) => (
  <Confirm
    title={`Delete role ${name}`}
    consequences={
      holders.length === 0
        ? ['Nobody has this role: nobody loses anything.']
        : [
            `${heldBy(holders)}: the role is detached at once.`,
            'Users without another role get the default rights of users, which may be more than this role allows. Service clients without another role may do nothing.',
            'Personal access tokens that name the role lose it.',
          ]
    }
    act="Delete role"
    command={`alm rbac delete --role-id ${roleId}`}
    onConfirm={async () => {
      await call<typeof deleteRole>('DELETE', '/v3/role/{role_id}', { params: { role_id: roleId } });
      announce(`Deleted role ${name}`);
      onDeleted();
      await accessChanged();
    }}
    onClose={onClose}
  />
);
