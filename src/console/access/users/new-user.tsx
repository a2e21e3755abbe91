import { useState } from 'react';
import { useLocation } from 'wouter';
import type { attachRole } from '../../../contract/v3/user-roles.ts';
import type { createUser } from '../../../contract/v3/users.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { AsCommand } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Form, type Values } from '../../parts/forms/form.tsx';
import { announce } from '../../parts/toast.tsx';
import { accessChanged, useRoles } from '../people.ts';

async function create(values: Values): Promise<string> {
  const username = values('username').trim();
  const email = values('email').trim();
  await call<typeof createUser>('POST', '/v3/user', {
    body: { username, password: values('password'), ...(email ? { email } : {}) },
  });
  const role_id = values('role');
  if (role_id) await call<typeof attachRole>('POST', '/v3/user/role', { body: { username, role_id } });
  return username;
}

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
  const submit = async (values: Values): Promise<void> => {
    const username = await create(values);
    await accessChanged();
    announce(`Created user ${username}`);
    navigate(addressOf(pages.user, { name: username }));
  };
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
        <AsCommand command={`alm user create ${name || '<name>'}`} />
      </Form>
    </Dialog>
  );
};
