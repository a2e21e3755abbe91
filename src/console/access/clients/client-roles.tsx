import { useState } from 'react';
import type { attachClientRole, detachClientRole } from '../../../contract/v3/client-rights.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { useAttempt } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { accessChanged, type Role, useRoles } from '../people.ts';
import styles from '../users/users.module.css';
import type { ApiClient } from './client.ts';

type Change = { attach: string } | { detach: string };

async function changeRoles(client_id: string, change: Change): Promise<void> {
  if ('attach' in change)
    await call<typeof attachClientRole>('POST', '/v3/client/{client_id}/role', {
      params: { client_id },
      body: { role_id: change.attach },
    });
  else
    await call<typeof detachClientRole>('DELETE', '/v3/client/{client_id}/role/{role_id}', {
      params: { client_id, role_id: change.detach },
    });
  await accessChanged();
}

interface AttachedProps {
  client: ApiClient;
  all: readonly Role[];
  onDetach: (id: string) => void;
}

const Attached = ({ client, all, onDetach }: AttachedProps) => (
  <ul className={styles.lines}>
    {client.roles.map((id) => (
      <li key={id}>
        {all.find(({ role_id }) => role_id === id)?.name ?? id}
        <Button small onClick={() => onDetach(id)}>
          Detach
        </Button>
      </li>
    ))}
  </ul>
);

/** The roles of a client of kind service: its rights. */
export const ClientRoles = ({ client, onClose }: { client: ApiClient; onClose: () => void }) => {
  const { data: all = [] } = useRoles();
  const [chosen, setChosen] = useState('');
  const { busy, error, run } = useAttempt(async (change: Change) => {
    await changeRoles(client.client_id, change);
    setChosen('');
    announce(`Changed the roles of ${client.label}`);
  });
  const free = all.filter(({ role_id }) => !client.roles.includes(role_id));
  return (
    <Dialog title={`Roles of ${client.label}`} onClose={onClose}>
      {client.roles.length === 0 && <p>Without a role it may do nothing.</p>}
      <Attached client={client} all={all} onDetach={(id) => void run({ detach: id })} />
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
          off={busy ? 'Waiting for the server …' : chosen ? undefined : 'Choose a role first'}
          onClick={() => void run({ attach: chosen })}
        >
          Attach
        </Button>
      </div>
      <p className={styles.note}>A change counts at once.</p>
      <AsCommand command={`alm client attach ${client.client_id} ${chosen || '<role id>'}`} />
      {error !== null && <ErrorCard error={error} />}
    </Dialog>
  );
};
