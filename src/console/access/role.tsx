import { useParams } from 'wouter';
import type { listRoleTemplates } from '../../contract/v3/roles.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { useRead } from '../api/read.ts';
import { Empty } from '../parts/messages/empty.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { type Role, usePeople, useRoles } from './people.ts';
import { BuiltInRole } from './roles/built-in-role.tsx';
import { newRole } from './roles/new-role.ts';
import { RoleEditor } from './roles/role-editor.tsx';
import { emptyScope, readable } from './roles/scope.ts';

const NewRole = () => {
  const [{ template }] = useSearchValues();
  const people = usePeople();
  const templates = useRead<typeof listRoleTemplates>('/v3/role/templates');
  return (
    <Answer of={templates} what="the templates">
      {(all) => {
        const chosen = all.find(({ id }) => id === template);
        const text = chosen ? JSON.stringify(chosen.scope, null, 2) : emptyScope;
        return (
          <RoleEditor
            key={template}
            roleId={template ? `${newRole} ${template}` : newRole}
            saved={{ name: '', text, basedOn: '' }}
            isNew
            people={people.data ?? []}
          />
        );
      }}
    </Answer>
  );
};

const ExistingRole = ({ role }: { role: Role }) => {
  const people = usePeople();
  if (role.role_id === 'admin') return <BuiltInRole role={role} people={people.data ?? []} />;
  return (
    <Answer of={people} what="the users">
      {(users) => (
        <RoleEditor
          key={role.role_id}
          roleId={role.role_id}
          saved={{ name: role.name, text: readable(role.scope), basedOn: role.update_time }}
          isNew={false}
          people={users}
        />
      )}
    </Answer>
  );
};

const RoleScreen = () => {
  const { id } = useParams<{ id: string }>();
  const roles = useRoles();
  return (
    <MasterOnly title="Role" to="see the roles of the account">
      {id === newRole ? (
        <NewRole />
      ) : (
        <Answer of={roles} what="the role">
          {(all) => {
            const role = all.find(({ role_id }) => role_id === id);
            if (role) return <ExistingRole role={role} />;
            return (
              <Page title="Role" above={[{ to: addressOf(pages.roles), label: 'Roles' }]}>
                <Empty title="There is no such role">It was deleted, or never existed.</Empty>
              </Page>
            );
          }}
        </Answer>
      )}
    </MasterOnly>
  );
};

export default RoleScreen;
