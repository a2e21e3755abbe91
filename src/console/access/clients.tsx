import { useState } from 'react';
import type { listClients } from '../../contract/v3/clients.ts';
import { useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Menu } from '../parts/acts/menu.tsx';
import { SecretOnce } from '../parts/forms/secret-once.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Stack } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { MasterOnly } from '../parts/reading/master-only.tsx';
import { When } from '../parts/reading/when.tsx';
import { Phase } from '../parts/status/status-phase.tsx';
import { ChangeKind, DeleteClient, RotateSecret } from './clients/acts.tsx';
import type { ApiClient, NewSecret } from './clients/client.ts';
import { ClientRoles } from './clients/client-roles.tsx';
import styles from './clients/clients.module.css';
import { NewClient } from './clients/new-client.tsx';
import { type Role, useRoles } from './people.ts';

type Act = 'roles' | 'kind' | 'rotate' | 'delete';
type Opened =
  | { act: 'create' }
  | { act: Act; client: ApiClient }
  | { act: 'secret'; secret: NewSecret }
  | null;
type Open = (opened: Opened) => void;

const Right = ({ client: { kind, roles, users }, all }: { client: ApiClient; all: readonly Role[] }) => {
  if (kind !== 'service') return users.length > 0 ? `Used by ${users.join(', ')}` : '–';
  const names = roles.map((id) => all.find(({ role_id }) => role_id === id)?.name ?? id);
  return names.length > 0 ? names.join(', ') : 'No role: may do nothing';
};

const columnsWith = (roles: readonly Role[], open: Open) => [
  {
    title: 'API client',
    cell: ({ client_id, label }: ApiClient) => (
      <span className={styles.client}>
        <strong>{label}</strong>
        <code>{client_id}</code>
      </span>
    ),
  },
  { title: 'Kind', cell: ({ kind }: ApiClient) => kind },
  { title: 'Roles and users', cell: (client: ApiClient) => <Right client={client} all={roles} /> },
  { title: 'Created', cell: ({ create_time }: ApiClient) => <When at={create_time} /> },
  {
    title: '',
    end: true,
    cell: (client: ApiClient) => (
      <Menu
        label={`Actions for ${client.label}`}
        items={[
          {
            label: 'Roles …',
            onSelect: () => open({ act: 'roles', client }),
            off: client.kind === 'service' ? undefined : 'Only clients of kind service have roles',
          },
          { label: 'New secret …', onSelect: () => open({ act: 'rotate', client }) },
          { label: 'Change the kind …', onSelect: () => open({ act: 'kind', client }) },
          { label: 'Delete …', danger: true, onSelect: () => open({ act: 'delete', client }) },
        ]}
      />
    ),
  },
];

const Warning = ({ client: { label, warning } }: { client: ApiClient }) => (
  <Card tone="warn">
    <p className={styles.warning}>
      <Phase tone="warn" size={16} />
      <span>
        <strong>{label}</strong> {warning}
      </span>
    </p>
  </Card>
);

interface OpenedDialogProps {
  opened: Opened;
  open: Open;
  clients: readonly ApiClient[];
}

const OpenedDialog = ({ opened, open, clients }: OpenedDialogProps) => {
  if (opened === null) return null;
  const onClose = (): void => open(null);
  const onSecret = (secret: NewSecret): void => open({ act: 'secret', secret });
  if (opened.act === 'create') return <NewClient onSecret={onSecret} onClose={onClose} />;
  if (opened.act === 'secret')
    return (
      <SecretOnce
        title={opened.secret.title}
        values={[
          { label: 'client id', value: opened.secret.id },
          { label: 'client secret', value: opened.secret.secret },
        ]}
        warning="The secret is shown only now: the server keeps no copy of it. Save it where the program reads it."
        onClose={onClose}
      />
    );
  const client = clients.find(({ client_id }) => client_id === opened.client.client_id) ?? opened.client;
  const dialogs = {
    roles: <ClientRoles client={client} onClose={onClose} />,
    kind: <ChangeKind client={client} onClose={onClose} />,
    rotate: <RotateSecret client={client} onSecret={onSecret} onClose={onClose} />,
    delete: <DeleteClient client={client} onClose={onClose} />,
  };
  return dialogs[opened.act];
};

const ClientList = ({ all, open }: { all: readonly ApiClient[]; open: Open }) => {
  const { data: roles = [] } = useRoles();
  return (
    <Stack>
      {all
        .filter(({ warning }) => warning)
        .map((client) => (
          <Warning key={client.client_id} client={client} />
        ))}
      <Card flush>
        <Table
          label="API clients"
          columns={columnsWith(roles, open)}
          rows={all}
          keyOf={({ client_id }) => client_id}
        />
      </Card>
    </Stack>
  );
};

const Clients = () => {
  const clients = useRead<typeof listClients>('/v3/client');
  const [opened, open] = useState<Opened>(null);
  const create = (
    <Button look="main" onClick={() => open({ act: 'create' })}>
      <Icon name="plus" /> New API client
    </Button>
  );
  return (
    <Page
      title="API clients"
      about="One for each program, so that each can be revoked alone. People need none: they sign in by name."
      actions={create}
    >
      <Answer of={clients} what="the API clients">
        {(all) =>
          all.length === 0 ? (
            <Empty
              title="No API clients"
              action={create}
              command="alm client create 'build server' --kind service"
            >
              A program signs in with an API client of its own, and has the rights of its roles.
            </Empty>
          ) : (
            <ClientList all={all} open={open} />
          )
        }
      </Answer>
      <OpenedDialog opened={opened} open={open} clients={clients.data ?? []} />
    </Page>
  );
};

const ClientsScreen = () => (
  <MasterOnly title="API clients" to="see the API clients of the account">
    <Clients />
  </MasterOnly>
);

export default ClientsScreen;
