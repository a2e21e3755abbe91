import { useState } from 'react';
import type { changePassword } from '../../contract/v3/users.ts';
import { call } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { Card } from '../parts/page/card.tsx';
import { signIn } from '../session/session.ts';
import { Proof, proofOf, useFactor } from './proof.tsx';

interface PasswordProps {
  username: string;
  master: boolean;
  onClose: () => void;
}

const Change = ({ username, master, onClose }: PasswordProps) => {
  const hasFactor = useFactor();
  const submit = async (values: Values): Promise<void> => {
    const password = values('password');
    await call<typeof changePassword>('PUT', '/v3/user/{username}/password', {
      params: { username },
      body: { password, ...proofOf(values) },
    });
    // With a second factor, a new code is needed: the next request asks for it.
    if (!hasFactor) await signIn({ username, password });
    announce(`Changed your password${master ? '. Look through the access made in the last 30 days' : ''}`);
    onClose();
    const ended = ['/v3/token', '/v3/personal_token', '/v3/passkey', '/v3/access/recent'] as const;
    await Promise.all(ended.map((path) => readAgain(path)));
  };
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <Form submit="Change password" onSubmit={submit} onCancel={onClose}>
        <p>
          All your other sign-ins, your passkeys and your personal access tokens end at once.
          {hasFactor && ' You sign in again afterwards, with a new code.'}
        </p>
        <Proof />
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint="At least 8 characters, and not easy to guess."
        />
        <AsCommand command={`alm user password ${username}`} />
      </Form>
    </Dialog>
  );
};

export const ChangePassword = ({ username, master }: Omit<PasswordProps, 'onClose'>) => {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Password" aside={<Button onClick={() => setOpen(true)}>Change</Button>}>
      <p>A new password ends all other sign-ins, passkeys and personal access tokens.</p>
      {open && <Change username={username} master={master} onClose={() => setOpen(false)} />}
    </Card>
  );
};
