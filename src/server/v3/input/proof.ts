import { Secret } from '../../../basics/secret.ts';
import type { OwnProof } from '../../../operations/sign-in/prove-password.ts';
import type { RequestFacts } from '../../http/binding.ts';

interface ProofFields {
  current_password?: string | undefined;
  otp?: string | undefined;
}

/** What a caller sends to prove that it is not only the holder of a token. */
export const readProof = (
  { current_password: password, otp }: ProofFields,
  { address }: RequestFacts,
): OwnProof => ({ currentPassword: password ? new Secret(password) : null, otp: otp || null, address });
