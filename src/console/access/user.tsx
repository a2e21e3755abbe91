import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { deleteUser } from '../../contract/v3/users.ts';
import { addressOf, pages } from '../address/pages.ts';
import { call } from '../api/call.ts';
import { Button } from '../parts/acts/button.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card, Columns, Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Facts } from '../parts/reading/facts.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { When } from '../parts/reading/when.tsx';
import { MayThey } from './explain/may-they.tsx';
import { accessChanged, type Person, usePeople } from './people.ts';
import { RolesOfUser } from './users/roles-of-user.tsx';
import { ResetSecondFactor, SetPassword } from './users/set-password.tsx';
import { SignInsOfUser } from './users/sign-ins-of-user.tsx';

type Opened = 'password' | 'second factor' | 'delete' | null;

const DeleteUser = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const [, navigate] = useLocation();
  const remove = async (): Promise<void> => {
    await call<typeof deleteUser>('DELETE', '/v3/user/{username}', { params: { username } });
    announce(`Deleted user ${username}`);
    navigate(addressOf(pages.users));
    await accessChanged();
  };
  return (
    <Confirm
      title={`Delete user ${username}`}
      consequences={[
        'All sign-ins and personal access tokens of the user end at once.',
        'All roles are detached from the user.',
        'The stacks that the user created stay. They belong to the master user then.',
      ]}
      word={username}
      act="Delete user"
      command={`alm user delete ${username}`}
      onConfirm={remove}
      onClose={onClose}
    />
  );
};

const Actions = ({ person, onOpen }: { person: Person; onOpen: (opened: Opened) => void }) => {
  const own = person.master ? 'The master user changes its own sign-in on the page of its own' : undefined;
  return (
    <>
      <Button off={own} onClick={() => onOpen('password')}>
        Set password
      </Button>
      <Button off={own} onClick={() => onOpen('second factor')}>
        Remove second factor
      </Button>
      <Button
        look="danger"
        off={person.master ? 'The master user cannot be deleted' : undefined}
        onClick={() => onOpen('delete')}
      >
        Delete
      </Button>
    </>
  );
};

const About = ({ person }: { person: Person }) => (
  <Card title="About">
    <Facts
      facts={[
        ['Email', person.email || '–'],
        ['Created', <When key="created" at={person.create_time} />],
        ['Signed in last', person.last_login ? <When key="last" at={person.last_login} /> : 'Never'],
        ['Id', <code key="id">{person.user_id}</code>],
      ]}
    />
  </Card>
);

const User = ({ person }: { person: Person }) => {
  const [opened, setOpened] = useState<Opened>(null);
  const { username } = person;
  const close = (): void => setOpened(null);
  return (
    <Page
      title={username}
      above={[{ to: addressOf(pages.users), label: 'Users' }]}
      about={person.master ? 'Master user: roles do not limit it' : 'User of the account'}
      actions={<Actions person={person} onOpen={setOpened} />}
    >
      <Columns>
        <Stack>
          <RolesOfUser person={person} />
          <MayThey username={username} />
        </Stack>
        <Stack>
          <About person={person} />
          <SignInsOfUser username={username} />
        </Stack>
      </Columns>
      {opened === 'password' && <SetPassword username={username} onClose={close} />}
      {opened === 'second factor' && <ResetSecondFactor username={username} onClose={close} />}
      {opened === 'delete' && <DeleteUser username={username} onClose={close} />}
    </Page>
  );
};

const UserScreen = () => {
  const { name } = useParams<{ name: string }>();
  const people = usePeople();
  return (
    <MasterOnly title="User" to="see the users of the account">
      <Answer of={people} what="the user">
        {(users) => {
          const person = users.find(({ username }) => username === name);
          return person ? (
            <User key={name} person={person} />
          ) : (
            <Page title="User" above={[{ to: addressOf(pages.users), label: 'Users' }]}>
              <Empty title={`There is no user ${name}`}>The user was deleted, or never existed.</Empty>
            </Page>
          );
        }}
      </Answer>
    </MasterOnly>
  );
};

export default UserScreen;
