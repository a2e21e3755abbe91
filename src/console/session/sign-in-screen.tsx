import { useEffect } from 'react';
import { dropDrafts } from '../editor/drafts-of.ts';
import { Button } from '../parts/acts/button.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Moon } from '../parts/page/icons.tsx';
import { PasskeyWay } from './passkey-way.tsx';
import type { Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-screen.module.css';
import { singleSignOnFailure, startSingleSignOn } from './single-sign-on.ts';

const SingleSignOn = ({ path }: { path: string }) => {
  const failure = singleSignOnFailure();
  return (
    <>
      {failure !== null && <ErrorCard error={failure} />}
      <Button onClick={() => void startSingleSignOn(path)}>Sign in with single sign-on</Button>
    </>
  );
};

/** Shown instead of any page while nobody is signed in; the address stays, so the page follows. */
export const SignInScreen = ({ ways }: { ways: Session['sign_in'] }) => {
  useEffect(() => {
    document.title = 'Sign in · Almanac';
    dropDrafts();
  }, []);
  return (
    <main className={styles.screen}>
      <div className={styles.column}>
        <header className={styles.head}>
          <Moon size={62} />
          <h1>Sign in to Almanac</h1>
          <p>{location.host}</p>
        </header>
        <SignInForm />
        <PasskeyWay ways={ways} />
        {ways.openid !== null && <SingleSignOn path={ways.openid} />}
        <p className={styles.hint}>
          First time here? The server printed the password of <code>root</code> once, when it started for the
          first time. If it is lost, run <code>almanac account reset-password &lt;id&gt;</code> on the server.
        </p>
      </div>
    </main>
  );
};
