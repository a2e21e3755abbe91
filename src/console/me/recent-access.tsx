import { useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { describeRecentAccess, endRecentAccess } from '../../contract/v3/sign-in/recent-access.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';

type Recent = SuccessOf<typeof describeRecentAccess>;

const kinds: Record<keyof Recent, string> = {
  clients: 'API client',
  users: 'User',
  roles: 'Role',
  personal_tokens: 'Personal access token',
  passkeys: 'Passkey',
  sign_ins: 'Sign-in',
};

const rowsOf = (recent: Recent) =>
  (Object.keys(kinds) as (keyof Recent)[]).flatMap((kind) =>
    recent[kind].map((made) => ({ ...made, kind: kinds[kind] })),
  );

type Row = ReturnType<typeof rowsOf>[number];

const columns = [
  { title: 'What', cell: ({ kind }: Row) => kind },
  { title: 'Name', cell: ({ name, id }: Row) => name || id },
  { title: 'Made', cell: ({ create_time }: Row) => <When at={create_time} /> },
];

const End = ({ onClose }: { onClose: () => void }) => {
  const submit = async (values: Values): Promise<void> => {
    const since = new Date(values('since')).toISOString();
    const ended = await call<typeof endRecentAccess>('POST', '/v3/access/end', { body: { since } });
    onClose();
    announce(
      `Ended ${ended.sign_ins} sign-ins, ${ended.personal_tokens} personal access tokens, ${ended.passkeys} passkeys and ${ended.clients} API clients`,
    );
    await Promise.all([
      readAgain('/v3/access/recent'),
      readAgain('/v3/token'),
      readAgain('/v3/personal_token'),
      readAgain('/v3/passkey'),
    ]);
  };
  return (
    <Dialog title="End access made since a time" onClose={onClose}>
      <Form submit="End access" look="danger" onSubmit={submit} onCancel={onClose}>
        <p>
          Sign-ins, personal access tokens, passkeys and API clients of all users that were made since then
          end at once, and all links to private keys. This sign-in stays. Users and roles stay: look through
          them.
        </p>
        <Field label="Since" name="since" type="datetime-local" required />
        <AsCommand command="alm api POST /v3/access/end -F since=2030-01-01T00:00:00Z" />
      </Form>
    </Dialog>
  );
};

/** For the master: what a thief with a stolen session may have left behind. */
export const RecentAccess = () => {
  const recent = useRead<typeof describeRecentAccess>('/v3/access/recent');
  const [ending, setEnding] = useState(false);
  return (
    <Card
      flush
      title="Access made in the last 30 days"
      aside={
        <Button small onClick={() => setEnding(true)}>
          End since …
        </Button>
      }
    >
      <Answer of={recent} what="what was made recently">
        {(found) => (
          <Table
            label="Access made in the last 30 days"
            columns={columns}
            rows={rowsOf(found)}
            keyOf={({ kind, id }) => `${kind} ${id}`}
          />
        )}
      </Answer>
      {ending && <End onClose={() => setEnding(false)} />}
    </Card>
  );
};
