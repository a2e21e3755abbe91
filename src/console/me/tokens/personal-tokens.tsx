import { useState } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type {
  listPersonalTokens,
  revokePersonalToken,
} from '../../../contract/v3/sign-in/personal-tokens.ts';
import { call } from '../../api/call.ts';
import { readAgain, useRead } from '../../api/read.ts';
import { Table } from '../../lists/table.tsx';
import { Button } from '../../parts/acts/button.tsx';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { SecretOnce } from '../../parts/forms/secret-once.tsx';
import { Empty } from '../../parts/messages/empty.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Icon } from '../../parts/page/icons.tsx';
import { Answer } from '../../parts/reading/answer.tsx';
import { When } from '../../parts/reading/when.tsx';
import { NewPersonalToken } from './new-personal-token.tsx';

type Token = SuccessOf<typeof listPersonalTokens>[number];

const columnsWith = (onRevoke: (token: Token) => void) => [
  { title: 'Token', cell: ({ name }: Token) => <strong>{name}</strong> },
  {
    title: 'Limited to',
    cell: ({ roles }: Token) => (roles.length > 0 ? <code>{roles.join(', ')}</code> : 'its own scope'),
  },
  { title: 'Ends', cell: ({ expires }: Token) => <When at={expires} /> },
  { title: 'Used last', cell: ({ last_used }: Token) => (last_used ? <When at={last_used} /> : 'Never') },
  {
    title: '',
    end: true,
    cell: (token: Token) => (
      <Button small aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
        Revoke
      </Button>
    ),
  },
];

const Revoke = ({ token, onClose }: { token: Token; onClose: () => void }) => (
  <Confirm
    title={`Revoke ${token.name}`}
    consequences={['Programs that use the token are refused at once. It cannot be brought back.']}
    act="Revoke token"
    command={`alm token revoke ${token.token_id}`}
    onConfirm={async () => {
      await call<typeof revokePersonalToken>('DELETE', '/v3/personal_token/{token_id}', {
        params: { token_id: token.token_id },
      });
      await readAgain('/v3/personal_token');
      announce(`Revoked ${token.name}`);
      onClose();
    }}
    onClose={onClose}
  />
);

type Opened = { is: 'new' } | { is: 'secret'; token: string } | { is: 'revoke'; token: Token } | null;

const OpenedDialog = ({
  opened,
  open,
  master,
}: {
  opened: Opened;
  open: (next: Opened) => void;
  master: boolean;
}) => {
  const onClose = (): void => open(null);
  if (opened?.is === 'new')
    return (
      <NewPersonalToken
        master={master}
        onToken={(token) => open({ is: 'secret', token })}
        onClose={onClose}
      />
    );
  if (opened?.is === 'secret')
    return (
      <SecretOnce
        title="The token is created"
        values={[{ label: 'personal access token', value: opened.token }]}
        warning="The token is shown only now: the server keeps no copy of it. Programs use it as ALM_TOKEN, or as a bearer token."
        onClose={onClose}
      />
    );
  return opened ? <Revoke token={opened.token} onClose={onClose} /> : null;
};

export const PersonalTokens = ({ master }: { master: boolean }) => {
  const tokens = useRead<typeof listPersonalTokens>('/v3/personal_token', { query: {} });
  const [opened, open] = useState<Opened>(null);
  const create = (
    <Button small onClick={() => open({ is: 'new' })}>
      <Icon name="plus" size={13} /> New token
    </Button>
  );
  return (
    <Card flush title="Personal access tokens" aside={create}>
      <Answer of={tokens} what="your tokens">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No tokens" command="alm token create deploy --role <role id>">
              A program acts as you with a token, with fewer rights and without your password.
            </Empty>
          ) : (
            <Table
              label="Personal access tokens"
              columns={columnsWith((token) => open({ is: 'revoke', token }))}
              rows={rows}
              keyOf={({ token_id }) => token_id}
            />
          )
        }
      </Answer>
      <OpenedDialog opened={opened} open={open} master={master} />
    </Card>
  );
};
