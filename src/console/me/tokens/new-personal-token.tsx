import { useState } from 'react';
import type { listRoles, listRoleTemplates } from '../../../contract/v3/roles.ts';
import type { createPersonalToken } from '../../../contract/v3/sign-in/personal-tokens.ts';
import type { listOwnRoles } from '../../../contract/v3/user-roles.ts';
import { call } from '../../api/call.ts';
import { readAgain, useRead } from '../../api/read.ts';
import { word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Field, Select, TextArea } from '../../parts/forms/field.tsx';
import { Form, type Values } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { Proof, proofOf } from '../proof.tsx';

interface NewTokenProps {
  master: boolean;
  onToken: (token: string) => void;
  onClose: () => void;
}

/** The master may name any role of the account, others only their own. */
function useChoosableRoles(master: boolean): { value: string; label: string }[] {
  const all = useRead<typeof listRoles>('/v3/role', undefined, { enabled: master });
  const own = useRead<typeof listOwnRoles>('/v3/user/role', undefined, { enabled: !master });
  if (master) return (all.data ?? []).map(({ role_id, name }) => ({ value: role_id, label: name }));
  return (own.data ?? []).map(({ role_id }) => ({ value: role_id, label: role_id }));
}

/** In the place of a role: the token has a scope of its own. */
const ownScope = 'scope';

async function create(values: Values): Promise<string> {
  const role = values('role');
  const { token } = await call<typeof createPersonalToken>('POST', '/v3/personal_token', {
    body: {
      name: values('name').trim(),
      expires_in_days: Number(values('days')),
      ...(role === ownScope ? { scope: values('scope') } : { roles: [role] }),
      ...proofOf(values),
    },
  });
  await readAgain('/v3/personal_token');
  return token;
}

const Scope = () => {
  const { data: templates = [] } = useRead<typeof listRoleTemplates>('/v3/role/templates');
  const readOnly = templates.find(({ id }) => id === 'readonly');
  if (!readOnly) return null;
  return (
    <TextArea
      label="Scope of the token"
      name="scope"
      rows={9}
      defaultValue={JSON.stringify(readOnly.scope, null, 2)}
      hint="Statements as in a role. The token may do what these and your own rights allow."
    />
  );
};

const Lifetime = ({ days, onChange }: { days: string; onChange: (days: string) => void }) => (
  <Select
    label="Ends after"
    name="days"
    value={days}
    onChange={(event) => onChange(event.target.value)}
    options={['7', '30', '90', '366'].map((value) => ({ value, label: `${value} days` }))}
  />
);

export const NewPersonalToken = ({ master, onToken, onClose }: NewTokenProps) => {
  const roles = useChoosableRoles(master);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [days, setDays] = useState('30');
  const role = chosen || roles[0]?.value || ownScope;
  const limit = role === ownScope ? '--scope scope.json' : `--role ${word(role, 'role id')}`;
  return (
    <Dialog title="New personal access token" onClose={onClose}>
      <Form
        submit="Create token"
        onSubmit={async (values) => onToken(await create(values))}
        onCancel={onClose}
      >
        <Field
          label="What it is for"
          name="name"
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Select
          label="Limited to"
          name="role"
          value={role}
          onChange={(event) => setChosen(event.target.value)}
          options={[...roles, { value: ownScope, label: 'A scope of its own' }]}
        />
        {role === ownScope && <Scope />}
        <Lifetime days={days} onChange={setDays} />
        <Proof autoFocus={false} />
        <AsCommand command={`alm token create ${word(name.trim(), 'name')} ${limit} --days ${days}`} />
      </Form>
    </Dialog>
  );
};
