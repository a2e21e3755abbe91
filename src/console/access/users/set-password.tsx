import type { resetSecondFactor } from '../../../contract/v3/sign-in/second-factor.ts';
import type { changePassword } from '../../../contract/v3/users.ts';
import { call } from '../../api/call.ts';
import { readAgain } from '../../api/read.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Confirm } from '../../parts/forms/confirm.tsx';
import { Field } from '../../parts/forms/field.tsx';
import { Form, type Values } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { announce } from '../../parts/messages/toast.tsx';

interface OfUser {
  username: string;
  onClose: () => void;
}

export const SetPassword = ({ username, onClose }: OfUser) => {
  const submit = async (values: Values): Promise<void> => {
    await call<typeof changePassword>('PUT', '/v3/user/{username}/password', {
      params: { username },
      body: { password: values('password') },
    });
    await readAgain('/v3/user/{username}/token');
    announce(`Set the password of ${username}`);
    onClose();
  };
  return (
    <Dialog title={`Set the password of ${username}`} onClose={onClose}>
      <Form submit="Set password" onSubmit={submit} onCancel={onClose}>
        <p>All sign-ins and personal access tokens of {username} end at once.</p>
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          autoFocus
          hint="At least 8 characters, and not easy to guess."
        />
        <AsCommand command={`alm user password ${username}`} />
      </Form>
    </Dialog>
  );
};

export const ResetSecondFactor = ({ username, onClose }: OfUser) => (
  <Confirm
    title={`Remove the second factor of ${username}`}
    consequences={[
      'For a user who lost the device and the recovery codes.',
      `${username} then signs in with the password alone, until a new second factor is set up.`,
    ]}
    act="Remove second factor"
    command={`alm otp reset ${username}`}
    onConfirm={async () => {
      await call<typeof resetSecondFactor>('DELETE', '/v3/user/{username}/second_factor', {
        params: { username },
      });
      announce(`Removed the second factor of ${username}`);
      onClose();
    }}
    onClose={onClose}
  />
);
