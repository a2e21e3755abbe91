import type { beginPasskeyProof, listPasskeys } from '../../contract/v3/sign-in/passkeys.ts';
import type { proveSession } from '../../contract/v3/sign-in/proof.ts';
import { call } from '../api/call.ts';
import { proofGate } from '../api/proof-gate.ts';
import { useRead } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { useAttempt } from '../parts/forms/form.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { useSession } from '../session/session.ts';
import { answerOf, isPossible } from './device.ts';
import styles from './passkeys.module.css';

/** For users who have a passkey: it proves as much as the password and a code. */
export const PasskeyProof = () => {
  const { data: session } = useSession();
  const passkeys = useRead<typeof listPasskeys>('/v3/passkey', { query: {} });
  const { busy, error, run } = useAttempt(async () => {
    const { options } = await call<typeof beginPasskeyProof>('POST', '/v3/session/proof/passkey');
    const passkey = await answerOf(options);
    await call<typeof proveSession>('POST', '/v3/session/proof', { body: { passkey: { ...passkey } } });
    proofGate.open(true);
  });
  if (!isPossible() || session?.sign_in.passkeys_off !== null || !passkeys.data?.length) return null;
  return (
    <div className={styles.way}>
      {error !== null && <ErrorCard error={error} />}
      <Button off={busy ? 'Waiting for the passkey …' : undefined} onClick={() => void run(undefined)}>
        Use a passkey
      </Button>
    </div>
  );
};
