import { consoleClientId } from '../../../model/client-kinds.ts';
import { newAccessToken } from '../../../model/names.ts';
import { listPasskeys, type PasskeyRow } from '../../../store/access/passkeys.ts';
import { recordProof } from '../../../store/access/sessions.ts';
import { recordLogin } from '../../../store/access/users.ts';
import type { Actor } from '../../access/access.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { proofMs } from '../../access/recent-proof.ts';
import { signedInUser } from '../../access/users.ts';
import type { Service } from '../../service.ts';
import { originOf, type TokenCaller } from '../token-origin.ts';
import { type NewToken, saveToken } from '../tokens.ts';
import { type ChallengeUse, challengeMs, newChallenge } from './challenge.ts';
import { checkPasskey, type PasskeyAnswer, spendPasskey, wrongPasskey } from './check-passkey.ts';
import { relyingParty } from './relying-party.ts';
import {
  type AuthenticationResponseJSON,
  descriptorOf,
  type PublicKeyCredentialRequestOptionsJSON,
} from './webauthn.ts';

/** Made by hand: anyone may ask, and loading the package takes 40 MB. */
const ask = (
  service: Service,
  use: ChallengeUse,
  keys: readonly PasskeyRow[],
): PublicKeyCredentialRequestOptionsJSON => ({
  rpId: relyingParty(service).id,
  challenge: Buffer.from(newChallenge(service, use)).toString('base64url'),
  timeout: challengeMs,
  userVerification: 'required',
  allowCredentials: keys.map((key) => ({ ...descriptorOf(key), type: 'public-key' as const })),
});

/** For anyone: the device knows whose passkey it has. */
export const beginPasskeySignIn = (service: Service): PublicKeyCredentialRequestOptionsJSON =>
  ask(service, 'sign-in', []);

export interface PasskeySignIn extends TokenCaller {
  credential: AuthenticationResponseJSON;
  /** Further columns of the token. */
  more: (token: string, now: number) => Partial<NewToken['row']>;
}

/** Counts as both factors: the device has it, and has verified the person. Returns an access token. */
export async function signInWithPasskey(service: Service, request: PasskeySignIn): Promise<string> {
  const { credential, address } = request;
  const asked = { credential, address, use: 'sign-in', userId: null } as const;
  const checked = await checkPasskey(service, asked);
  const { account_id, id: subject } = checked.user;
  const token = newAccessToken();
  const now = service.clock.now();
  await changeAccess(service, account_id, async (query) => {
    await spendPasskey(service, query, checked);
    if (!(await recordLogin(query, checked.user, now))) throw wrongPasskey(asked);
    const client = { client_id: consoleClientId, client_kind: 'sign-in' } as const;
    const origin = originOf('passkey', request);
    const row = {
      account_id,
      kind: 'user',
      subject,
      ...client,
      ...origin,
      ...request.more(token, now),
    } as const;
    await saveToken(service, query, { token, now, row });
  });
  return token;
}

const proofOf = (userId: string) => `proof of ${userId}` as const;

export async function beginPasskeyProof(
  service: Service,
  actor: Actor,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { userId } = signedInUser(actor);
  return ask(service, proofOf(userId), await listPasskeys(service.database.query, userId));
}

/** Notes for the sign-in of the request that its user is there. Returns until when it counts. */
export async function proveWithPasskey(
  service: Service,
  actor: Actor,
  { credential, address }: PasskeyAnswer,
): Promise<number> {
  const { userId, accountId, tokenHash = '', sessionHash = null } = signedInUser(actor);
  const asked = { credential, address, use: proofOf(userId), userId };
  const checked = await checkPasskey(service, asked);
  const now = service.clock.now();
  await changeAccess(service, accountId, async (query) => {
    await spendPasskey(service, query, checked);
    await recordProof(query, { tokenHash, sessionHash }, now);
  });
  return now + proofMs;
}
