import { Failure } from '../../basics/failure.ts';
import {
  findSecondFactor,
  type SecondFactorRow,
  useRecoveryCode,
  useStep,
} from '../../store/access/second-factors.ts';
import { digest } from '../access/secret-hash.ts';
import { type Service, sealedFor } from '../service.ts';
import { matchingStep } from './totp.ts';

/** The second factor that a user must prove; undefined: none. */
export async function confirmedFactor(
  service: Service,
  userId: string,
): Promise<SecondFactorRow | undefined> {
  const factor = await findSecondFactor(service.database.query, userId);
  return factor && factor.confirmed_at !== null ? factor : undefined;
}

export const codeRequired = (): Failure =>
  new Failure('mfa_required', 'A one-time code is required', {
    description: 'Also send otp: the code that your authenticator app shows, or one of your recovery codes.',
    problems: [{ path: 'otp', message: 'otp not specified' }],
  });

export const recoveryDigest = (userId: string, code: string): string =>
  digest(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

/** True at most once per code. */
export async function takeTimeCode(
  service: Service,
  factor: SecondFactorRow,
  code: string,
): Promise<boolean> {
  const { user_id: userId, sealed_secret: sealed } = factor;
  const secret = service.sealer.unseal(sealed, sealedFor.secondFactor(userId)).reveal();
  const step = matchingStep(secret, code, service.clock.now());
  return step !== null && useStep(service.database.query, userId, step);
}

/** Accepts a code of the app or a recovery code, each once. */
export async function takeCode(service: Service, factor: SecondFactorRow, code: string): Promise<boolean> {
  const written = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(written)) return takeTimeCode(service, factor, written);
  const { user_id: userId } = factor;
  return useRecoveryCode(service.database.query, userId, recoveryDigest(userId, written));
}
