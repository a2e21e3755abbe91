import { useState } from 'react';
import { Link } from 'wouter';
import type { attachRole, detachRole } from '../../../contract/v3/user-roles.ts';
import { addressOf, pages } from '../../address/pages.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { useAttempt } from '../../parts/forms/form.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card } from '../../parts/page/card.tsx';
import { accessChanged, type Person, type Role, useRoles } from '../people.ts';
import styles from './users.module.css';

interface DetachProps {
  person: Person;
  role: Role;
  onClose: () => void;
}

const Detach = ({ person: { username, roles }, role, onClose }: DetachProps) => {
  const detach = async (): Promise<void> => {
    await call<typeof detachRole>('DELETE', '/v3/user/role/{role_id}', {
      params: { role_id: role.role_id },
      query: { username },
      body: {},
    });
    await accessChanged();
    announce(`Detached ${role.name} from ${username}`);
    onClose();
  };
  return (
    <Confirm
      title={`Detach ${role.name} from ${username}`}
      consequences={[
        'It counts at once, also for requests of sign-ins that are open.',
        roles.length > 1
          ? `${username} keeps the other ${roles.length - 1 === 1 ? 'role' : `${roles.length - 1} roles`}.`
          : `${username} has no role then: the default rights of users apply, which allow stacks of their own. To allow nothing, attach a role that allows nothing.`,
      ]}
      act="Detach"
      command={`alm rbac detach --user ${username} --role-id ${role.role_id}`}
      onConfirm={detach}
      onClose={onClose}
    />
  );
};

const effectOf = ({ username, roles }: Person, role: Role | undefined): string => {
  if (!role) return 'Choose a role to see what attaching it does.';
  if (roles.length === 0)
    return `${username} then has the rights of ${role.name} instead of the default rights of users.`;
  return `${username} then also has the rights of ${role.name}. A Deny of any role wins.`;
};

const Attach = ({ person }: { person: Person }) => {
  const { data: all = [] } = useRoles();
  const [chosen, setChosen] = useState('');
  const { username, roles } = person;
  const { busy, error, run } = useAttempt(async (role_id: string) => {
    await call<typeof attachRole>('POST', '/v3/user/role', { body: { username, role_id } });
    await accessChanged();
    setChosen('');
    announce(`Attached the role to ${username}`);
  });
  const free = all.filter(({ role_id }) => !roles.some((role) => role.role_id === role_id));
  const role = free.find(({ role_id }) => role_id === chosen);
  return (
    <>
      <div className={styles.attach}>
        <Select
          label="Attach a role"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={[
            { value: '', label: 'Choose a role …' },
            ...free.map(({ role_id, name }) => ({ value: role_id, label: name })),
          ]}
        />
        <Button
          look="main"
          off={busy ? 'Waiting for the server …' : role ? undefined : 'Choose a role first'}
          onClick={() => void run(chosen)}
        >
          Attach
        </Button>
      </div>
      <p className={styles.note}>{effectOf(person, role)}</p>
      {role && <AsCommand command={`alm rbac attach --user ${username} --role-id ${role.role_id}`} />}
      {error !== null && <ErrorCard error={error} />}
    </>
  );
};

export const RolesOfUser = ({ person }: { person: Person }) => {
  const [leaving, setLeaving] = useState<Role | null>(null);
  if (person.master)
    return (
      <Card title="Roles">Roles do not limit the master user. It may do everything in the account.</Card>
    );
  return (
    <Card title="Roles">
      {person.roles.length === 0 ? (
        <p>No role: the default rights of users apply, which allow stacks of their own.</p>
      ) : (
        <ul className={styles.lines}>
          {person.roles.map((role) => (
            <li key={role.role_id}>
              <Link to={addressOf(pages.role, { id: role.role_id })}>{role.name}</Link>
              <Button small onClick={() => setLeaving(role)}>
                Detach
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Attach person={person} />
      {leaving && <Detach person={person} role={leaving} onClose={() => setLeaving(null)} />}
    </Card>
  );
};
