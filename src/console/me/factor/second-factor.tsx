import { useState } from 'react';
import type {
  describeSecondFactor,
  disableSecondFactor,
} from '../../../contract/v3/sign-in/second-factor.ts';
import { call } from '../../api/call.ts';
import { readAgain, useRead } from '../../api/read.ts';
import { Button } from '../../parts/acts/button.tsx';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { Dialog } from '../../parts/messages/dialog.tsx';
import { announce } from '../../parts/messages/toast.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Answer } from '../../parts/reading/answer.tsx';
import { When } from '../../parts/reading/when.tsx';
import { Proof, proofOf } from '../proof.tsx';
import { Enrol } from './enrol.tsx';

const Disable = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Disable the second factor" onClose={onClose}>
    <Form
      submit="Disable"
      look="danger"
      onSubmit={async (values) => {
        await call<typeof disableSecondFactor>('POST', '/v3/second_factor/disable', {
          body: proofOf(values),
        });
        announce('Disabled the second factor');
        onClose();
        await readAgain('/v3/second_factor');
      }}
      onCancel={onClose}
    >
      <p>Anyone who has your password can then sign in as you. The recovery codes end too.</p>
      <Proof />
      <AsCommand command="alm otp disable" />
    </Form>
  </Dialog>
);

export const SecondFactor = () => {
  const factor = useRead<typeof describeSecondFactor>('/v3/second_factor');
  const [open, setOpen] = useState<'enrol' | 'disable' | null>(null);
  const isEnabled = factor.data?.enabled ?? false;
  return (
    <Card
      title="Second factor"
      aside={
        <Button onClick={() => setOpen(isEnabled ? 'disable' : 'enrol')}>
          {isEnabled ? 'Disable' : 'Set up'}
        </Button>
      }
    >
      <Answer of={factor} what="the second factor">
        {({ enabled, enabled_time, recovery_codes_left }) =>
          enabled ? (
            <p>
              On since <When at={enabled_time} />. {recovery_codes_left} recovery codes are left.
            </p>
          ) : (
            <p>
              Off. With it, a stolen password alone is useless: to sign in, you also enter a code of an app.
            </p>
          )
        }
      </Answer>
      {open === 'enrol' && <Enrol onClose={() => setOpen(null)} />}
      {open === 'disable' && <Disable onClose={() => setOpen(null)} />}
    </Card>
  );
};
