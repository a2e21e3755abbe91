import { Failure, notFound } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import { Secret } from '../../basics/secret.ts';
import { findUserById, type UserRow } from '../../store/access/accounts.ts';
import { deleteRegistryTokensOf } from '../../store/access/registry-tokens.ts';
import {
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  insertRecoveryCodes,
  insertSecondFactor,
  type SecondFactorRow,
} from '../../store/access/second-factors.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { signedInUser, userNamed } from '../access/users.ts';
import { type Service, sealedFor } from '../service.ts';
import { recoveryDigest, takeTimeCode } from './check-code.ts';
import { codePace } from './login-pace.ts';
import { checkThrottled } from './login-throttle.ts';
import { type OwnProof, proveOwn } from './prove-password.ts';
import { newTotpSecret, totpUri } from './totp.ts';

const recoveryCodeCount = 10;
const enrolmentMs = 15 * 60_000;

async function ownRow(service: Service, actor: Actor): Promise<UserRow> {
  const { userId, username } = signedInUser(actor);
  const user = await findUserById(service.database.query, userId);
  if (user) return user;
  throw notFound('User', username);
}

export interface FactorState {
  enabledAt: number | null;
  recoveryCodesLeft: number;
}

export async function describeSecondFactor(service: Service, actor: Actor): Promise<FactorState> {
  const { userId } = signedInUser(actor);
  const { query } = service.database;
  const factor = await findSecondFactor(query, userId);
  return {
    enabledAt: factor?.confirmed_at ?? null,
    recoveryCodesLeft: await countRecoveryCodes(query, userId),
  };
}

/** The only time the secret is known outside. */
export interface Enrolment {
  secret: Secret;
  uri: Secret;
}

/** Begins to enrol: nothing changes for sign-ins until a first code is confirmed. */
export async function enrolSecondFactor(service: Service, actor: Actor, proof: OwnProof): Promise<Enrolment> {
  const user = await ownRow(service, actor);
  await proveOwn(service, user, proof);
  const secret = newTotpSecret();
  await changeAccess(service, user.account_id, async (query) => {
    const existing = await findSecondFactor(query, user.id);
    if (existing && existing.confirmed_at !== null)
      throw new Failure('conflict', 'Your second factor is already enabled', {
        description: 'To use another app, disable it first.',
      });
    await deleteSecondFactor(query, user.id);
    await insertSecondFactor(query, {
      user_id: user.id,
      account_id: user.account_id,
      sealed_secret: service.sealer.seal(new Secret(secret), sealedFor.secondFactor(user.id)),
      confirmed_at: null,
      last_step: -1,
      created_at: service.clock.now(),
    });
  });
  const uri = totpUri(secret, { issuer: 'Almanac', name: user.username });
  return { secret: new Secret(secret), uri: new Secret(uri) };
}

const newRecoveryCode = (): string => `${randomText(5)}-${randomText(5)}-${randomText(5)}`.toLowerCase();

const nothingToConfirm = (): Failure =>
  new Failure('conflict', 'There is no second factor to confirm', {
    description: 'Begin with POST /v3/second_factor, and confirm within 15 minutes.',
  });

async function pendingFactor(service: Service, userId: string): Promise<SecondFactorRow> {
  const factor = await findSecondFactor(service.database.query, userId);
  const since = service.clock.now() - enrolmentMs;
  if (!factor || factor.confirmed_at !== null || factor.created_at < since) throw nothingToConfirm();
  return factor;
}

interface FirstCode {
  otp: string;
  /** The caller's IP address. */
  address: string;
}

/** Throttled apart from sign-ins, so that a stolen token cannot block those. */
async function checkFirstCode(
  service: Service,
  factor: SecondFactorRow,
  { otp, address }: FirstCode,
): Promise<void> {
  const subject = `first code of user ${factor.user_id}`;
  const code = otp.replaceAll(/\s/g, '');
  const taken = await checkThrottled(service, { subject, address, pace: codePace }, async () =>
    (await takeTimeCode(service, factor, code)) ? true : undefined,
  );
  if (taken) return;
  const message = 'otp is wrong';
  throw new Failure('invalid_request', message, {
    description:
      'Send the code that the app shows now. Check that the clocks of the phone and the server are right.',
    problems: [{ path: 'otp', message }],
  });
}

/** Enables the factor if the code is right. Returns the recovery codes, which are known only now. */
export async function confirmEnrolment(service: Service, actor: Actor, first: FirstCode): Promise<string[]> {
  const { userId, accountId } = signedInUser(actor);
  const factor = await pendingFactor(service, userId);
  await checkFirstCode(service, factor, first);
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await changeAccess(service, accountId, async (query) => {
    if (!(await confirmSecondFactor(query, factor, service.clock.now()))) throw nothingToConfirm();
    // The password alone was enough for them.
    await deleteRegistryTokensOf(query, userId);
    await insertRecoveryCodes(
      query,
      userId,
      codes.map((code) => recoveryDigest(userId, code)),
    );
  });
  return codes;
}

/** Requires the password and a code, so that a stolen token cannot remove the factor. */
export async function disableSecondFactor(service: Service, actor: Actor, proof: OwnProof): Promise<void> {
  const user = await ownRow(service, actor);
  await proveOwn(service, user, proof);
  if (!(await deleteSecondFactor(service.database.query, user.id)))
    throw new Failure('conflict', 'Your second factor is not enabled');
}

/** For users who lost their device and their recovery codes. The master's own needs a proof, or the operator. */
export async function resetSecondFactor(service: Service, actor: Actor, username: string): Promise<void> {
  const { accountId, userId } = signedInUser(actor);
  const user = await userNamed(service.database.query, accountId, username);
  if (user.id === userId)
    throw new Failure('conflict', 'You cannot reset your own second factor', {
      description:
        'Disable it with POST /v3/second_factor/disable, with your password and a code. If you have none left, the operator ' +
        'runs: almanac account reset-second-factor',
    });
  if (!(await deleteSecondFactor(service.database.query, user.id)))
    throw new Failure('not_found', `User ${user.username} has no second factor`);
}
