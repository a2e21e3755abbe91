import { Failure } from '../../../basics/failure.ts';
import { newTokenId } from '../../../model/names.ts';
import { findAccessToken } from '../../../store/access/accounts.ts';
import { findIdentityOf } from '../../../store/access/openid-identities.ts';
import { insertPasskey, listPasskeys, type PasskeyRow } from '../../../store/access/passkeys.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Actor } from '../../access/access.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { type SignedInUser, signedInUser } from '../../access/users.ts';
import type { Service } from '../../service.ts';
import { ended } from '../session-ended.ts';
import { type Challenge, challengeMs, newChallenge, readChallenge, spendChallenge } from './challenge.ts';
import { relyingParty } from './relying-party.ts';
import {
  descriptorOf,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  webauthn,
} from './webauthn.ts';

const maxPasskeys = 20;
/** EdDSA, ES256 and RS256: every version of Node.js can check them, so every server can. */
const algorithms = [-8, -7, -257];

const useOf = ({ userId }: SignedInUser) => `passkey of ${userId}` as const;

/** Who is blocked at the provider must not sign in beside it. */
async function refuseLinked(query: Query, { userId }: SignedInUser): Promise<void> {
  if (!(await findIdentityOf(query, userId))) return;
  throw new Failure('conflict', 'You sign in with the OpenID provider, which has its own passkeys', {
    description: 'Add the passkey there.',
  });
}

async function refuseTooMany(query: Query, { userId }: SignedInUser): Promise<PasskeyRow[]> {
  const existing = await listPasskeys(query, userId);
  if (existing.length < maxPasskeys) return existing;
  throw new Failure('conflict', `You already have ${maxPasskeys} passkeys`, {
    description: 'Remove those that you no longer use.',
  });
}

/** The device makes a key pair that it finds again without a user name, and verifies the person at each use. */
export async function beginRegistration(
  service: Service,
  actor: Actor,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const user = signedInUser(actor);
  const { id: rpID } = relyingParty(service);
  await refuseLinked(service.database.query, user);
  const existing = await refuseTooMany(service.database.query, user);
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Almanac',
    rpID,
    userID: new Uint8Array(Buffer.from(user.userId)),
    userName: user.username,
    challenge: newChallenge(service, useOf(user)),
    timeout: challengeMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(descriptorOf),
  });
}

export interface NewPasskey {
  name: string;
  credential: RegistrationResponseJSON;
}

const notAccepted = (): Failure =>
  new Failure('invalid_request', 'The passkey was not accepted', {
    description: 'Begin again, and finish within 5 minutes on a page of this service.',
  });

async function verified(service: Service, user: SignedInUser, response: RegistrationResponseJSON) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(service);
  const { verifyRegistrationResponse } = await webauthn();
  let challenge: Challenge | null = null;
  const expectedChallenge = (signed: string): boolean => {
    challenge = readChallenge(service, signed, useOf(user));
    return challenge !== null;
  };
  const expected = { expectedRPID, expectedOrigin, expectedChallenge, requireUserVerification: true };
  // It throws for every answer that it can read but does not accept, and for those that it cannot read.
  const result = await verifyRegistrationResponse({
    response,
    ...expected,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!result?.verified || challenge === null) throw notAccepted();
  return { challenge: challenge as Challenge, key: result.registrationInfo.credential };
}

type Verified = Awaited<ReturnType<typeof verified>>;

const rowOf = (user: SignedInUser, { key }: Verified, made: { name: string; now: number }): PasskeyRow => ({
  id: newTokenId(),
  account_id: user.accountId,
  user_id: user.userId,
  credential_id: key.id,
  public_key: Buffer.from(key.publicKey).toString('base64url'),
  counter: key.counter,
  transports: JSON.stringify(key.transports ?? []),
  name: made.name,
  created_at: made.now,
  last_used_at: null,
});

/** Returns the id of the passkey. */
export async function finishRegistration(
  service: Service,
  actor: Actor,
  { name, credential }: NewPasskey,
): Promise<string> {
  const user = signedInUser(actor);
  const found = await verified(service, user, credential);
  const now = service.clock.now();
  const row = rowOf(user, found, { name, now });
  await changeAccess(service, user.accountId, async (query) => {
    // A password change that came first has ended this sign-in, and must end what it still does.
    if (!(await findAccessToken(query, user.tokenHash ?? '', now))) throw ended();
    await refuseLinked(query, user);
    await refuseTooMany(query, user);
    if (!(await spendChallenge(service, query, found.challenge))) throw notAccepted();
    if (!(await insertPasskey(query, row)))
      throw new Failure('duplicate', 'This passkey belongs to a user already', {
        description: 'Sign in with it, or add another one.',
      });
  });
  return row.id;
}
