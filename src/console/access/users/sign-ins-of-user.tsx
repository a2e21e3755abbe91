import { useState } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type {
  endTokenOfUser,
  endTokensOfUser,
  listTokensOfUser,
} from '../../../contract/v3/sign-in/own-tokens.ts';
import { call } from '../../api/call.ts';
import { readAgain, useRead } from '../../api/read.ts';
import { Button } from '../../parts/acts/button.tsx';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { useAttempt } from '../../parts/forms/form.tsx';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Answer } from '../../parts/reading/answer.tsx';
import { When } from '../../parts/reading/when.tsx';
import styles from './users.module.css';

const path = '/v3/user/{username}/token';

const EndAll = ({ username, onClose }: { username: string; onClose: () => void }) => (
  <Confirm
    title={`End all sign-ins of ${username}`}
    consequences={[
      'All browsers and programs of the user are signed out.',
      'Its personal access tokens end too.',
    ]}
    act="End all"
    command={`alm sign-in revoke --all --user ${username}`}
    onConfirm={async () => {
      const { revoked } = await call<typeof endTokensOfUser>('DELETE', path, { params: { username } });
      await readAgain(path);
      announce(`Ended ${revoked} tokens of ${username}`);
      onClose();
    }}
    onClose={onClose}
  />
);

interface TokensProps {
  tokens: SuccessOf<typeof listTokensOfUser>;
  onEnd: (id: string) => void;
}

const Tokens = ({ tokens, onEnd }: TokensProps) => (
  <ul className={styles.lines}>
    {tokens.map(({ token_id, user_agent, client_id, address, issued }) => (
      <li key={token_id}>
        <span>
          {user_agent || client_id}
          <small>
            {address} · <When at={issued} />
          </small>
        </span>
        <Button small aria-label={`End the sign-in ${token_id}`} onClick={() => onEnd(token_id)}>
          End
        </Button>
      </li>
    ))}
  </ul>
);

/** Where a user is signed in. */
export const SignInsOfUser = ({ username }: { username: string }) => {
  const signIns = useRead<typeof listTokensOfUser>(path, { params: { username } });
  const [ending, setEnding] = useState(false);
  const { error, run } = useAttempt(async (token_id: string) => {
    await call<typeof endTokenOfUser>('DELETE', '/v3/user/{username}/token/{token_id}', {
      params: { username, token_id },
    });
    await readAgain(path);
    announce('Ended the sign-in');
  });
  return (
    <Card
      title="Sign-ins"
      aside={
        <Button
          small
          off={signIns.data?.length ? undefined : 'The user is signed in nowhere'}
          onClick={() => setEnding(true)}
        >
          End all
        </Button>
      }
    >
      {error !== null && <ErrorCard error={error} />}
      <Answer of={signIns} what="the sign-ins">
        {(tokens) =>
          tokens.length === 0 ? (
            <p>Nobody is signed in as {username}.</p>
          ) : (
            <Tokens tokens={tokens} onEnd={(id) => void run(id)} />
          )
        }
      </Answer>
      {ending && <EndAll username={username} onClose={() => setEnding(false)} />}
    </Card>
  );
};
