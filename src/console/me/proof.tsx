import type { describeSecondFactor } from '../../contract/v3/sign-in/second-factor.ts';
import { useRead } from '../api/read.ts';
import { Field } from '../parts/forms/field.tsx';
import type { Values } from '../parts/forms/form.tsx';

/** Whether the user has a second factor. */
export const useFactor = (): boolean =>
  useRead<typeof describeSecondFactor>('/v3/second_factor').data?.enabled ?? false;

/** What acts ask for that must not be done with a stolen session: the password, and a code if there is a second factor. */
export const Proof = ({ autoFocus = true }: { autoFocus?: boolean }) => {
  const hasFactor = useFactor();
  return (
    <>
      <Field
        label="Your password"
        name="current_password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus={autoFocus}
        // The service does not say which of the two is wrong.
        data-called={hasFactor ? 'Your password or the code' : undefined}
      />
      {hasFactor && (
        <Field
          label="Code of your second factor"
          name="otp"
          autoComplete="one-time-code"
          required
          hint="Or a recovery code."
        />
      )}
    </>
  );
};

export function proofOf(values: Values): { current_password: string; otp?: string } {
  const otp = values('otp').trim();
  return { current_password: values('current_password'), ...(otp ? { otp } : {}) };
}
