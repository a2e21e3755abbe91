import { createHash } from 'node:crypto';
import { Failure } from '../../../basics/failure.ts';
import { newAccessToken } from '../../../model/names.ts';
import { findUserById } from '../../../store/access/accounts.ts';
import { takeSignInCode } from '../../../store/access/sign-in-codes.ts';
import { recordLogin } from '../../../store/access/users.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { digest, equalTexts } from '../../access/secret-hash.ts';
import type { Service } from '../../service.ts';
import { required } from '../oauth-client.ts';
import { originOf, type TokenCaller } from '../token-origin.ts';
import { type IssuedToken, type NewToken, saveToken, tokenReply } from '../tokens.ts';

export interface CodeRequest extends TokenCaller {
  clientId: string | undefined;
  code: string | undefined;
  verifier: string | undefined;
  /** Further columns of the token. */
  more?: (token: string, now: number) => Partial<NewToken['row']>;
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const wrongCode = () =>
  new Failure('invalid_grant', 'The code is unknown, expired or used, or does not belong to this client', {
    description: 'Start the sign-in again. A code is valid once and for 60 seconds.',
  });

/** Any attempt uses the code up: a stolen code cannot be tried with many verifiers. */
export async function redeemCode(service: Service, request: CodeRequest): Promise<IssuedToken> {
  const clientId = required(request.clientId, 'client_id');
  const verifier = required(request.verifier, 'code_verifier');
  const { query } = service.database;
  const now = service.clock.now();
  const taken = await takeSignInCode(query, digest(required(request.code, 'code')));
  const isProven = taken?.client_id === clientId && equalTexts(challengeOf(verifier), taken.code_challenge);
  const user = isProven && taken.expires_at > now ? await findUserById(query, taken.user_id) : undefined;
  if (!user) throw wrongCode();
  const token = newAccessToken();
  const { account_id, id: subject } = user;
  await changeAccess(service, account_id, async (change) => {
    if (!(await recordLogin(change, user, now))) throw wrongCode();
    const origin = originOf('authorization_code', request);
    const client = { client_id: clientId, client_kind: 'sign-in' } as const;
    const more = request.more?.(token, now) ?? {};
    const row = { account_id, kind: 'user', subject, ...client, ...origin, ...more } as const;
    await saveToken(service, change, { token, now, row });
  });
  return tokenReply(token);
}
