import type { proveSession } from '../../contract/v3/sign-in/proof.ts';
import { call } from '../api/call.ts';
import { proofGate } from '../api/proof-gate.ts';
import { Form, type Values } from '../parts/forms/form.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { PasskeyProof } from '../passkeys/proof.tsx';
import { Proof, proofOf } from './proof.tsx';

/** Asks for the password before something that gives lasting access. The request that waits is then repeated. */
const ConfirmAgain = () => {
  const giveUp = (): void => proofGate.open(false);
  const submit = async (values: Values): Promise<void> => {
    await call<typeof proveSession>('POST', '/v3/session/proof', { body: proofOf(values) });
    proofGate.open(true);
  };
  return (
    <Dialog title="Confirm with your password" onClose={giveUp}>
      <Form submit="Confirm" onSubmit={submit} onCancel={giveUp}>
        <p>
          This gives lasting access, and you signed in more than 10 minutes ago. If you have neither a
          password nor a passkey, sign out and sign in again.
        </p>
        <Proof />
      </Form>
      <PasskeyProof />
    </Dialog>
  );
};

export default ConfirmAgain;
