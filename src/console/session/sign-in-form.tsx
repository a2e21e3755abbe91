import { type FormEvent, useState } from 'react';
import { CallFailed } from '../api/failure.ts';
import { Button } from '../parts/acts/button.tsx';
import { Field } from '../parts/forms/field.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { signIn } from './session.ts';
import styles from './sign-in-form.module.css';

interface SignInFormProps {
  /** The user who must sign in again; absent: anyone. */
  username?: string | undefined;
}

/** The service asks for the code of the second factor after the password is right. */
const asksForCode = (error: unknown): boolean =>
  error instanceof CallFailed && error.body?.error === 'mfa_required';

interface Attempt {
  error: unknown;
  wantsCode: boolean;
  busy: boolean;
}

/** Sends the form, and asks for the code of the second factor if the service wants one. */
function useSignIn({ username }: SignInFormProps) {
  const [attempt, setAttempt] = useState<Attempt>({ error: null, wantsCode: false, busy: false });
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string): string => (form.get(name) as string | null) ?? '';
    const login = { username: username ?? value('username'), password: value('password') };
    const { wantsCode } = attempt;
    setAttempt({ error: null, wantsCode, busy: true });
    try {
      await signIn(wantsCode ? { ...login, otp: value('otp') } : login);
      setAttempt({ error: null, wantsCode, busy: false });
    } catch (failure) {
      const asks = asksForCode(failure);
      setAttempt({ error: asks && !wantsCode ? null : failure, wantsCode: wantsCode || asks, busy: false });
    }
  };
  return { ...attempt, submit };
}

export const SignInForm = (props: SignInFormProps) => {
  const { error, wantsCode, busy, submit } = useSignIn(props);
  const { username } = props;
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field
        label="User name"
        name="username"
        autoComplete="username"
        required
        autoFocus={username === undefined}
        defaultValue={username}
        readOnly={username !== undefined}
      />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      {wantsCode && (
        <Field
          label="Code of your second factor"
          name="otp"
          autoComplete="one-time-code"
          hint="Or a recovery code."
          autoFocus
          required
        />
      )}
      {error !== null && <ErrorCard error={error} />}
      <Button type="submit" look="main" off={busy ? 'Signing in …' : undefined}>
        Sign in
      </Button>
    </form>
  );
};
