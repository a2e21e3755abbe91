import { callAsAnyone } from '../api/call.ts';
import { Button } from '../parts/acts/button.tsx';
import { useAttempt } from '../parts/forms/form.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { signIn } from '../session/session.ts';
import { answerOf, isPossible } from './device.ts';
import styles from './passkeys.module.css';

/** The device knows who the person is: no name is typed. */
const PasskeySignIn = () => {
  const { busy, error, run } = useAttempt(async () => {
    const { options } = (await callAsAnyone({ method: 'POST', path: '/v3/session/passkey' })) as {
      options: Record<string, unknown>;
    };
    await signIn({ passkey: await answerOf(options) });
  });
  if (!isPossible()) return null;
  return (
    <div className={styles.way}>
      {error !== null && <ErrorCard error={error} />}
      <Button off={busy ? 'Waiting for the passkey …' : undefined} onClick={() => void run(undefined)}>
        Sign in with a passkey
      </Button>
    </div>
  );
};

export default PasskeySignIn;
