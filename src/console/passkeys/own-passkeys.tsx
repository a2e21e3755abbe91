import { useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { deletePasskey, listPasskeys } from '../../contract/v3/sign-in/passkeys.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { useSession } from '../session/session.ts';
import { AddPasskey } from './add-passkey.tsx';
import { isPossible } from './device.ts';

type Passkey = SuccessOf<typeof listPasskeys>[number];

const columnsWith = (onRemove: (passkey: Passkey) => void) => [
  { title: 'Passkey', cell: ({ name }: Passkey) => <strong>{name}</strong> },
  { title: 'Added', cell: ({ create_time }: Passkey) => <When at={create_time} /> },
  { title: 'Used last', cell: ({ last_used }: Passkey) => (last_used ? <When at={last_used} /> : 'Never') },
  {
    title: '',
    end: true,
    cell: (passkey: Passkey) => (
      <Button small aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)}>
        Remove
      </Button>
    ),
  },
];

const Remove = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => (
  <Confirm
    title={`Remove ${passkey.name}`}
    consequences={[
      'Nobody can sign in with this passkey any more. Sign-ins that were made with it stay.',
      'Delete it on the device as well, or the browser still offers it.',
    ]}
    act="Remove passkey"
    command={`alm passkey delete ${passkey.passkey_id}`}
    onConfirm={async () => {
      const { passkey_id } = passkey;
      await call<typeof deletePasskey>('DELETE', '/v3/passkey/{passkey_id}', { params: { passkey_id } });
      await readAgain('/v3/passkey');
      announce(`Removed ${passkey.name}`);
      onClose();
    }}
    onClose={onClose}
  />
);

/** Why none can be added; undefined: one can. */
function useOff(): string | undefined {
  const { data: session } = useSession();
  return session?.sign_in.passkeys_off ?? (isPossible() ? undefined : 'This browser has no passkeys here');
}

export const Passkeys = () => {
  const passkeys = useRead<typeof listPasskeys>('/v3/passkey', { query: {} });
  const [opened, open] = useState<'add' | Passkey | null>(null);
  const off = useOff();
  const add = (
    <Button small off={off} onClick={() => open('add')}>
      <Icon name="plus" size={13} /> New passkey
    </Button>
  );
  const onClose = (): void => open(null);
  return (
    <Card flush title="Passkeys" aside={add}>
      <Answer of={passkeys} what="your passkeys">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No passkeys" command="alm passkey list">
              {off ??
                'You sign in with your fingerprint, face, PIN or security key. Nothing can be stolen by a copied page.'}
            </Empty>
          ) : (
            <Table
              label="Passkeys"
              columns={columnsWith(open)}
              rows={rows}
              keyOf={({ passkey_id }) => passkey_id}
            />
          )
        }
      </Answer>
      {opened === 'add' && <AddPasskey onClose={onClose} />}
      {opened !== null && opened !== 'add' && <Remove passkey={opened} onClose={onClose} />}
    </Card>
  );
};
