import { useState } from 'react';
import { Link } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Card } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { When } from '../parts/reading/when.tsx';
import { type Person, usePeople } from './people.ts';
import { NewUser } from './users/new-user.tsx';
import { RoleLinks } from './users/role-links.tsx';
import styles from './users/users.module.css';

const columns = [
  {
    title: 'User',
    cell: ({ username, email }: Person) => (
      <span className={styles.user}>
        <Link to={addressOf(pages.user, { name: username })}>{username}</Link>
        {email && <small>{email}</small>}
      </span>
    ),
  },
  {
    title: 'Roles',
    cell: ({ master, roles }: Person) =>
      master ? (
        <span className={styles.faint}>Master: roles do not limit it</span>
      ) : (
        <RoleLinks roles={roles} />
      ),
  },
  {
    title: 'Signed in last',
    cell: ({ last_login }: Person) =>
      last_login ? <When at={last_login} /> : <span className={styles.faint}>Never</span>,
  },
  { title: 'Created', cell: ({ create_time }: Person) => <When at={create_time} /> },
];

const Users = () => {
  const people = usePeople();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Users"
      about="The people of the account. Their roles decide what they may do."
      actions={
        <Button look="main" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New user
        </Button>
      }
    >
      <Answer of={people} what="the users">
        {(users) => (
          <Card flush>
            <Table label="Users" columns={columns} rows={users} keyOf={({ user_id }) => user_id} />
          </Card>
        )}
      </Answer>
      {creating && <NewUser onClose={() => setCreating(false)} />}
    </Page>
  );
};

const UsersScreen = () => (
  <MasterOnly title="Users" to="see the users of the account">
    <Users />
  </MasterOnly>
);

export default UsersScreen;
