import { useState } from 'react';
import type { attachClientRole } from '../../../contract/v3/client-rights.ts';
import type { createClient } from '../../../contract/v3/clients.ts';
import { call } from '../../api/call.ts';
import { word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, Select } from '../../parts/forms/field.tsx';
import { Form, type Values } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { accessChanged, useRoles } from '../people.ts';
import { type Kind, kinds, type NewSecret } from './client.ts';

interface NewClientProps {
  onSecret: (secret: NewSecret) => void;
  onClose: () => void;
}

async function create(values: Values): Promise<NewSecret> {
  const label = values('label').trim();
  const kind = values('kind') as Kind;
  const role_id = values('role');
  const { client_id, client_secret } = await call<typeof createClient>('POST', '/v3/client', {
    body: { label, kind },
  });
  let title = `${label} is created`;
  if (kind === 'service' && role_id)
    // The secret must be shown whatever happens to the role: nobody can read it later.
    await call<typeof attachClientRole>('POST', '/v3/client/{client_id}/role', {
      params: { client_id },
      body: { role_id },
    }).catch(() => {
      title = `${label} is created, but the role was not attached`;
    });
  await accessChanged();
  return { title, id: client_id, secret: client_secret };
}

const FirstRole = () => {
  const { data: roles = [] } = useRoles();
  return (
    <Select
      label="Role"
      name="role"
      options={[
        { value: '', label: 'None: it may do nothing' },
        ...roles.map(({ role_id, name }) => ({ value: role_id, label: name })),
      ]}
    />
  );
};

export const NewClient = ({ onSecret, onClose }: NewClientProps) => {
  const [label, setLabel] = useState('');
  const [kind, setKind] = useState<Kind>('service');
  return (
    <Dialog title="New API client" onClose={onClose}>
      <Form
        submit="Create API client"
        onSubmit={async (values) => onSecret(await create(values))}
        onCancel={onClose}
      >
        <Field
          label="What it is for"
          name="label"
          placeholder="build server"
          required
          autoFocus
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Select
          label="Kind"
          name="kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind)}
          options={Object.keys(kinds)}
          hint={kinds[kind]}
        />
        {kind === 'service' && <FirstRole />}
        <AsCommand command={`alm client create ${word(label.trim(), 'label')} --kind ${kind}`} />
      </Form>
    </Dialog>
  );
};
