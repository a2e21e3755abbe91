import { useState } from 'react';
import type { SuccessOf } from '../../../contract/route.ts';
import type { confirmSecondFactor, enrolSecondFactor } from '../../../contract/v3/sign-in/second-factor.ts';
import { call } from '../../api/call.ts';
import { readAgain } from '../../api/read.ts';
import { AsCommand, Copy } from '../../parts/acts/copy.tsx';
import { Field } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { SecretOnce } from '../../parts/forms/secret-once.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { loadedLater } from '../../parts/page/loaded-later.ts';
import styles from '../me.module.css';
import { Proof, proofOf } from '../proof.tsx';

const QrCode = loadedLater(() => import('./qr-code.tsx'), { placeholder: <div className={styles.qr} /> });

type Enrolled = SuccessOf<typeof enrolSecondFactor>;

interface StepProps<T> {
  onDone: (result: T) => void;
  onClose: () => void;
}

const AskPassword = ({ onDone, onClose }: StepProps<Enrolled>) => (
  <Dialog title="Set up a second factor" onClose={onClose}>
    <Form
      submit="Continue"
      onSubmit={async (values) =>
        onDone(await call<typeof enrolSecondFactor>('POST', '/v3/second_factor', { body: proofOf(values) }))
      }
      onCancel={onClose}
    >
      <p>You need an authenticator app on your phone, such as one that came with your password manager.</p>
      <Proof />
      <AsCommand command="alm otp enable" />
    </Form>
  </Dialog>
);

const AskCode = ({ enrolled, onDone, onClose }: StepProps<string[]> & { enrolled: Enrolled }) => (
  <Dialog title="Add Almanac to your app" onClose={onClose}>
    <Form
      submit="Turn on"
      onSubmit={async (values) => {
        const { recovery_codes } = await call<typeof confirmSecondFactor>(
          'POST',
          '/v3/second_factor/confirm',
          { body: { otp: values('otp').replaceAll(' ', '') } },
        );
        onDone(recovery_codes);
      }}
      onCancel={onClose}
    >
      <p>Scan this code with the app, or type the key below it. Nothing changes until the first code.</p>
      <QrCode text={enrolled.uri} label="QR code with the key that is written below it" />
      <p className={styles.key}>
        <code>{enrolled.secret}</code>
        <Copy text={enrolled.secret} what="key" label="Copy" />
      </p>
      <p className={styles.key}>
        <a href={enrolled.uri}>Open in an app</a>
        <Copy text={enrolled.uri} what="link" label="Copy the link" />
      </p>
      <Field
        label="Code that the app shows"
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </Form>
  </Dialog>
);

/** Password, key, first code, recovery codes. Key and codes exist only while their step is open. */
export const Enrol = ({ onClose }: { onClose: () => void }) => {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes)
    return (
      <SecretOnce
        title="The second factor is on"
        values={[{ label: 'recovery codes', value: codes.join('\n') }]}
        warning="These codes are shown only now. Each replaces a code of the app once: keep them where you find them without your phone."
        onClose={() => {
          announce('The second factor is on');
          onClose();
          void readAgain('/v3/second_factor');
        }}
      />
    );
  if (!enrolled) return <AskPassword onDone={setEnrolled} onClose={onClose} />;
  return <AskCode enrolled={enrolled} onDone={setCodes} onClose={onClose} />;
};
