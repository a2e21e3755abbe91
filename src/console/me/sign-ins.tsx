import { useState } from 'react';
import type { SuccessOf } from '../../contract/route.ts';
import type { endOtherTokens, endOwnToken, listOwnTokens } from '../../contract/v3/sign-in/own-tokens.ts';
import { call } from '../api/call.ts';
import { readAgain, useRead } from '../api/read.ts';
import { Table } from '../lists/table.tsx';
import { Button } from '../parts/acts/button.tsx';
import { Confirm } from '../parts/forms/confirm.tsx';
import { useAttempt } from '../parts/forms/form.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { When } from '../parts/reading/when.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import styles from './me.module.css';
import { programOf } from './program.ts';

type SignIn = SuccessOf<typeof listOwnTokens>[number];

const columnsWith = (onEnd: (id: string) => void) => [
  {
    title: 'Where',
    cell: ({ user_agent, client_id, address }: SignIn) => (
      <span className={styles.where} title={user_agent}>
        {programOf(user_agent, client_id)}
        <small>{address}</small>
      </span>
    ),
  },
  { title: 'Since', cell: ({ issued }: SignIn) => <When at={issued} /> },
  { title: 'Used last', cell: ({ last_used }: SignIn) => (last_used ? <When at={last_used} /> : '–') },
  {
    title: '',
    end: true,
    cell: ({ token_id, current, user_agent, client_id }: SignIn) =>
      current ? (
        <Pill tone="good">This one</Pill>
      ) : (
        <Button
          small
          aria-label={`End ${programOf(user_agent, client_id)} (${token_id})`}
          onClick={() => onEnd(token_id)}
        >
          End
        </Button>
      ),
  },
];

const EndOthers = ({ onClose }: { onClose: () => void }) => (
  <Confirm
    title="End all other sign-ins"
    consequences={[
      'All other browsers and programs in which you are signed in are signed out.',
      'This one stays. Personal access tokens stay.',
    ]}
    act="End all others"
    command="alm sign-in revoke --all"
    onConfirm={async () => {
      const { revoked } = await call<typeof endOtherTokens>('DELETE', '/v3/token');
      await readAgain('/v3/token');
      announce(revoked === 1 ? 'Ended 1 sign-in' : `Ended ${revoked} sign-ins`);
      onClose();
    }}
    onClose={onClose}
  />
);

/** Browsers and programs in which the user is signed in. */
export const SignIns = () => {
  const signIns = useRead<typeof listOwnTokens>('/v3/token');
  const [ending, setEnding] = useState(false);
  const { error, run } = useAttempt(async (token_id: string) => {
    await call<typeof endOwnToken>('DELETE', '/v3/token/{token_id}', { params: { token_id } });
    await readAgain('/v3/token');
    announce('Ended the sign-in');
  });
  const others = signIns.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Card
      flush
      title="Where you are signed in"
      aside={
        <Button
          small
          off={others === 0 ? 'You are signed in only here' : undefined}
          onClick={() => setEnding(true)}
        >
          End all others
        </Button>
      }
    >
      {error !== null && <ErrorCard error={error} />}
      <Answer of={signIns} what="your sign-ins">
        {(rows) => (
          <Table
            label="Sign-ins"
            columns={columnsWith((id) => void run(id))}
            rows={rows}
            keyOf={({ token_id }) => token_id}
          />
        )}
      </Answer>
      {ending && <EndOthers onClose={() => setEnding(false)} />}
    </Card>
  );
};
