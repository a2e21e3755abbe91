import { useState } from 'react';
import type { changeClientKind } from '../../../contract/v3/client-rights.ts';
import type { deleteClient, rotateClient } from '../../../contract/v3/clients.ts';
import { call } from '../../api/call.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { accessChanged } from '../people.ts';
import { type ApiClient, type Kind, kinds, type NewSecret } from './client.ts';

interface ActProps {
  client: ApiClient;
  onClose: () => void;
}

const usersOf = ({ users }: ApiClient): string[] =>
  users.length > 0 ? [`Users who signed in through it are signed out: ${users.join(', ')}.`] : [];

export const DeleteClient = ({ client, onClose }: ActProps) => (
  <Confirm
    title={`Delete ${client.label}`}
    consequences={[
      'The program that uses it can no longer sign in, and its tokens end at once.',
      ...usersOf(client),
      'The stacks that it created stay.',
    ]}
    word={client.label}
    act="Delete API client"
    command={`alm client delete ${client.client_id}`}
    onConfirm={async () => {
      await call<typeof deleteClient>('DELETE', '/v3/client/{client_id}', {
        params: { client_id: client.client_id },
      });
      await accessChanged();
      announce(`Deleted ${client.label}`);
      onClose();
    }}
    onClose={onClose}
  />
);

interface RotateProps extends ActProps {
  onSecret: (secret: NewSecret) => void;
}

export const RotateSecret = ({ client, onSecret, onClose }: RotateProps) => (
  <Confirm
    title={`New secret for ${client.label}`}
    consequences={[
      'The old secret and the tokens of the client itself end at once: the program stops until it has the new one.',
      'Users who signed in through it stay signed in.',
    ]}
    act="Make a new secret"
    command={`alm client rotate ${client.client_id}`}
    onConfirm={async () => {
      const { client_id, client_secret } = await call<typeof rotateClient>(
        'POST',
        '/v3/client/{client_id}/rotate',
        { params: { client_id: client.client_id } },
      );
      await accessChanged();
      onSecret({ title: `New secret of ${client.label}`, id: client_id, secret: client_secret });
    }}
    onClose={onClose}
  />
);

export const ChangeKind = ({ client, onClose }: ActProps) => {
  const [kind, setKind] = useState<Kind>(client.kind);
  const submit = async (): Promise<void> => {
    await call<typeof changeClientKind>('PUT', '/v3/client/{client_id}/kind', {
      params: { client_id: client.client_id },
      body: { kind },
    });
    await accessChanged();
    announce(`${client.label} is of kind ${kind} now`);
    onClose();
  };
  return (
    <Dialog title={`Kind of ${client.label}`} onClose={onClose}>
      <Form
        submit="Change the kind"
        look="danger"
        off={kind === client.kind ? 'Choose another kind first' : undefined}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>
          All tokens issued through it end, those of users too, and its roles are detached. Its id and secret
          stay.
        </p>
        <Select
          label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind)}
          options={Object.keys(kinds)}
          hint={kinds[kind]}
        />
        <AsCommand command={`alm client kind ${client.client_id} ${kind}`} />
      </Form>
    </Dialog>
  );
};
