import { useEffect, useSyncExternalStore } from 'react';
import { isGateClosed, onGate } from '../api/sign-in-gate.ts';
import { dropDrafts } from '../editor/drafts-of.ts';
import { Button } from '../parts/acts/button.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { PasskeyWay } from './passkey-way.tsx';
import { useSession } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Opens over the page when the sign-in has expired. Nothing below it is lost, and the waiting requests are repeated. */
export const SignInAgain = ({ username }: { username: string }) => {
  const closed = useSyncExternalStore(onGate, isGateClosed);
  const { data: session } = useSession();
  useEffect(() => {
    if (closed) dropDrafts();
  }, [closed]);
  if (!closed) return null;
  return (
    <Dialog title="Your sign-in has expired">
      <p>Sign in again to continue. What you typed stays on this page.</p>
      <SignInForm username={username} />
      <PasskeyWay ways={session?.sign_in} />
      <Button look="quiet" onClick={() => location.reload()}>
        Sign in as another user
      </Button>
    </Dialog>
  );
};
