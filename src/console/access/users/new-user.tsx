import { useState } from 'react';
import { useLocation } from 'wouter';
import type { attachRole } from '../../../contract/v3/user-roles.ts';
import type { createUser } from '../../../contract/v3/users.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { LinkButton } from '../../parts/acts/button.tsx';
import { word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, Select } from '../../parts/forms/field.tsx';
import { Form, type Values } from '../../parts/forms/form.tsx';
import { Dialog, DialogActions } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Stack } from '../../parts/page/card.tsx';
import { accessChanged, useRoles } from '../people.ts';

interface Created {
  username: string;
  /** Why the role was not attached; null if it was, or if none was chosen. */
  refusal: unknown;
}

async function create(values: Values): Promise<Created> {
  const username = values('username').trim();
  const email = values('email').trim();
  await call<typeof createUser>('POST', '/v3/user', {
    body: { username, password: values('password'), ...(email ? { email } : {}) },
  });
  const role_id = values('role');
  let refusal: unknown = null;
  if (role_id)
    // The user exists whatever happens to the role: to create it again would be refused.
    await call<typeof attachRole>('POST', '/v3/user/role', { body: { username, role_id } }).catch(
      (error: unknown) => {
        refusal = error;
      },
    );
  await accessChanged();
  return { username, refusal };
}

const WithoutRole = ({ created, onClose }: { created: Created; onClose: () => void }) => (
  <Dialog title={`${created.username} is created, but the role was not attached`} onClose={onClose}>
    <Stack>
      <ErrorCard error={created.refusal} />
      <p>Until a role is attached, the default rights of users apply.</p>
    </Stack>
    <DialogActions>
      <LinkButton look="main" to={addressOf(pages.user, { name: created.username })}>
        Go to {created.username}
      </LinkButton>
    </DialogActions>
  </Dialog>
);

const noRole = { value: '', label: 'None: the default rights of users' };

const OtherFields = () => {
  const { data: roles = [] } = useRoles();
  return (
    <>
      <Field label="Email address (optional)" name="email" type="email" hint="Stored and shown only." />
      <Field
        label="First password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        required
        hint="At least 8 characters, and not easy to guess. The user can change it."
      />
      <Select
        label="Role"
        name="role"
        options={[noRole, ...roles.map((role) => ({ value: role.role_id, label: role.name }))]}
        hint="More roles can be attached later."
      />
    </>
  );
};

export const NewUser = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const [, navigate] = useLocation();
  const [withoutRole, setWithoutRole] = useState<Created | null>(null);
  const submit = async (values: Values): Promise<void> => {
    const created = await create(values);
    announce(`Created user ${created.username}`);
    if (created.refusal) setWithoutRole(created);
    else navigate(addressOf(pages.user, { name: created.username }));
  };
  if (withoutRole) return <WithoutRole created={withoutRole} onClose={onClose} />;
  return (
    <Dialog title="New user" onClose={onClose}>
      <Form submit="Create user" onSubmit={submit} onCancel={onClose}>
        <Field
          label="User name"
          name="username"
          required
          autoFocus
          hint="Letters, digits and . _ @ -"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <OtherFields />
        <AsCommand command={`alm user create ${word(name.trim(), 'name')}`} />
      </Form>
    </Dialog>
  );
};
