import { Link } from 'wouter';
import type { SuccessOf } from '../../contract/route.ts';
import type { listRoleTemplates } from '../../contract/v3/roles.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { LinkButton } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { When } from '../parts/reading/when.tsx';
import { type Person, type Role, usePeople, useRoles } from './people.ts';
import { newRole } from './roles/new-role.ts';
import { readScope } from './roles/scope.ts';
import styles from './users/users.module.css';

const summary = (scope: string): string => {
  const read = readScope(scope);
  if ('problem' in read || read.statements.some((each) => 'json' in each)) return 'See the role';
  const count = (effect: string): number =>
    read.statements.filter((statement) => 'effect' in statement && statement.effect === effect).length;
  const parts = [`${count('Allow')} allow`, `${count('Deny')} deny`];
  return read.statements.length === 0
    ? 'Allows nothing'
    : parts.filter((part) => !part.startsWith('0')).join(', ');
};

const holders = (role: Role, people: readonly Person[]): Person[] =>
  people.filter(({ roles }) => roles.some(({ role_id }) => role_id === role.role_id));

const columnsWith = (people: readonly Person[]) => [
  {
    title: 'Role',
    cell: ({ role_id, name }: Role) => (
      <span className={styles.user}>
        <Link to={addressOf(pages.role, { id: role_id })}>{name}</Link>
        {role_id === 'admin' && <small>Built in</small>}
      </span>
    ),
  },
  { title: 'Statements', cell: ({ scope }: Role) => summary(scope) },
  {
    title: 'Who has it',
    cell: (role: Role) => {
      const names = holders(role, people).map(({ username }) => username);
      return names.length > 0 ? names.join(', ') : <span className={styles.faint}>Nobody</span>;
    },
  },
  { title: 'Changed', cell: ({ update_time }: Role) => <When at={update_time} /> },
];

type Templates = SuccessOf<typeof listRoleTemplates>;

const Beginnings = ({ templates }: { templates: Templates }) => (
  <Card title="Start from a template">
    <Stack>
      <Row>
        {templates.map(({ id, name }) => (
          <LinkButton key={id} small to={addressOf(pages.role, { id: newRole }, { template: id })}>
            {name}
          </LinkButton>
        ))}
      </Row>
      <AsCommand command="alm rbac create --name <name> --scope scope.json" />
    </Stack>
  </Card>
);

const Roles = () => {
  const roles = useRoles();
  const { data: people = [] } = usePeople();
  const { data: templates = [] } = useRead<typeof listRoleTemplates>('/v3/role/templates');
  return (
    <Page
      title="Roles"
      about="What users and service clients may do. A user without a role has the default rights of users."
      actions={
        <LinkButton look="main" to={addressOf(pages.role, { id: newRole })}>
          <Icon name="plus" /> New role
        </LinkButton>
      }
    >
      <Stack>
        <Answer of={roles} what="the roles">
          {(rows) => (
            <Card flush>
              <Table
                label="Roles"
                columns={columnsWith(people)}
                rows={rows}
                keyOf={({ role_id }) => role_id}
              />
            </Card>
          )}
        </Answer>
        {templates.length > 0 && <Beginnings templates={templates} />}
      </Stack>
    </Page>
  );
};

const RolesScreen = () => (
  <MasterOnly title="Roles" to="see the roles of the account">
    <Roles />
  </MasterOnly>
);

export default RolesScreen;
