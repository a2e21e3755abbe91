import type { addPasskey, beginPasskey } from '../../contract/v3/sign-in/passkeys.ts';
import { call } from '../api/call.ts';
import { readAgain } from '../api/read.ts';
import { Field } from '../parts/forms/field.tsx';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { announce } from '../parts/messages/toast.tsx';
import { makePasskey } from './device.ts';

export const AddPasskey = ({ onClose }: { onClose: () => void }) => {
  const submit = async (values: Values): Promise<void> => {
    const name = values('name').trim();
    const { options } = await call<typeof beginPasskey>('POST', '/v3/passkey/options');
    const credential = await makePasskey(options);
    await call<typeof addPasskey>('POST', '/v3/passkey', {
      body: { name, credential: { ...credential } },
    });
    await readAgain('/v3/passkey');
    announce(`Added the passkey ${name}`);
    onClose();
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form submit="Add passkey" onSubmit={submit} onCancel={onClose}>
        <p>
          Your browser then asks for your fingerprint, face, PIN or security key. You sign in with it instead
          of your password and a code.
        </p>
        <Field
          label="Name"
          name="name"
          required
          maxLength={128}
          autoFocus
          hint="Such as the device it is on."
        />
      </Form>
    </Dialog>
  );
};
