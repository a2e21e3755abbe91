import { Failure } from '../../../basics/failure.ts';
import { findUserById, type UserRow } from '../../../store/access/accounts.ts';
import { findPasskey, type PasskeyRow, usePasskey } from '../../../store/access/passkeys.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Service } from '../../service.ts';
import { checkThrottled } from '../login-throttle.ts';
import { type Challenge, type ChallengeUse, readChallenge, spendChallenge } from './challenge.ts';
import { relyingParty } from './relying-party.ts';
import { type AuthenticationResponseJSON, webauthn } from './webauthn.ts';

export interface PasskeyAnswer {
  credential: AuthenticationResponseJSON;
  /** The caller's IP address. */
  address: string;
}

interface Asked extends PasskeyAnswer {
  use: ChallengeUse;
  /** The only user whose passkey counts; null: anyone signs in. */
  userId: string | null;
}

/** A passkey whose answer is right. It counts when it is spent. */
export interface CheckedPasskey {
  passkey: PasskeyRow;
  user: UserRow;
  counter: number;
  challenge: Challenge;
  asked: Asked;
}

/** The console opens its sign-in dialog for 401: a session that only lacks a proof goes on. */
export const wrongPasskey = ({ userId }: Pick<Asked, 'userId'>): Failure =>
  new Failure(userId === null ? 'unauthorized' : 'invalid_request', 'The passkey was not accepted', {
    description:
      'It was removed from this service, belongs to another user, or was answered too late. Try again, or use your password.',
  });

/** The answer must be signed by the key, for this service, and by a person whom the device has verified. */
async function verified(
  service: Service,
  asked: Asked,
  { passkey, user }: Pick<CheckedPasskey, 'passkey' | 'user'>,
): Promise<CheckedPasskey | undefined> {
  const { credential, use } = asked;
  const { userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== user.id) return undefined;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(service);
  const { verifyAuthenticationResponse } = await webauthn();
  let challenge: Challenge | null = null;
  const expectedChallenge = (signed: string): boolean => {
    challenge = readChallenge(service, signed, use);
    return challenge !== null;
  };
  const publicKey = new Uint8Array(Buffer.from(passkey.public_key, 'base64url'));
  const known = { id: passkey.credential_id, publicKey, counter: passkey.counter };
  const expected = { expectedRPID, expectedOrigin, expectedChallenge, requireUserVerification: true };
  // It throws for every answer that it can read but does not accept, and for those that it cannot read.
  const result = await verifyAuthenticationResponse({
    response: credential,
    credential: known,
    ...expected,
  }).catch(() => null);
  if (!result?.verified || challenge === null) return undefined;
  return { passkey, user, counter: result.authenticationInfo.newCounter, challenge, asked };
}

function note(service: Service, { user, asked }: Pick<CheckedPasskey, 'user' | 'asked'>, reason: string) {
  const { account_id: accountId, username: name } = user;
  service.failedSignIns.note({ accountId, kind: 'user', name, address: asked.address, reason });
}

/** Checks the answer of a device. Wrong ones count as failed sign-ins. */
export async function checkPasskey(service: Service, asked: Asked): Promise<CheckedPasskey> {
  relyingParty(service);
  const { query } = service.database;
  const passkey = await findPasskey(query, asked.credential.id);
  const user = passkey && (await findUserById(query, passkey.user_id));
  // Nothing can be guessed, so nothing is stored: otherwise invented keys would fill the table of failures.
  if (!user || (asked.userId !== null && asked.userId !== user.id)) throw wrongPasskey(asked);
  const attempt = { subject: `passkey ${passkey.id}`, address: asked.address, pace: null };
  const checked = await checkThrottled(service, attempt, () => verified(service, asked, { passkey, user }));
  if (checked) return checked;
  note(service, { user, asked }, 'the answer of a passkey was not accepted');
  throw wrongPasskey(asked);
}

/** Counts the answer, once. Call it in the transaction that gives access. */
export async function spendPasskey(service: Service, query: Query, checked: CheckedPasskey): Promise<void> {
  const { passkey, counter, challenge } = checked;
  const isFirst = await spendChallenge(service, query, challenge);
  if (isFirst && (await usePasskey(query, { id: passkey.id, counter, now: service.clock.now() }))) return;
  note(service, checked, 'the answer of a passkey was sent again');
  throw wrongPasskey(checked.asked);
}
