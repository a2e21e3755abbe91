import type { Static } from 'typebox';
import { Failure } from '../../basics/failure.ts';
import type { tokenRequest } from '../../contract/token-schema.ts';
import type { accessRoutes } from '../../contract/v3/sign-in/access.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { redeemCode } from '../../operations/sign-in/openid/redeem-code.ts';
import { issueToken, type TokenRequest } from '../../operations/sign-in/tokens.ts';
import type { BasicCredentials } from '../http/authorization.ts';
import type { Handlers, RequestFacts } from '../http/binding.ts';

interface TokenInput {
  basic: BasicCredentials | null;
  body: Partial<Static<typeof tokenRequest>>;
  request: RequestFacts;
}

/** The client authenticates in the body or with HTTP Basic; both are accepted only if they name the same client. */
export function readTokenRequest(version: 'v2' | 'v3', { basic, body, request }: TokenInput): TokenRequest {
  if (basic && body.client_id !== undefined && body.client_id !== basic.user)
    throw new Failure('invalid_request', 'client_id differs from the HTTP Basic user');
  return {
    version,
    address: request.address,
    userAgent: request.userAgent,
    clientId: basic?.user ?? body.client_id,
    clientSecret: basic?.password ?? body.client_secret,
    grantType: body.grant_type,
    username: body.username,
    password: body.password,
    otp: body.otp,
  };
}

type AccessHandlers = Handlers<typeof accessRoutes, Actor>;

export const tokenHandlers = (
  service: Service,
  version: 'v2' | 'v3',
): Pick<AccessHandlers, 'issueToken'> => ({
  issueToken: (input) => {
    const request = readTokenRequest(version, input);
    if (version === 'v2' || request.grantType !== 'authorization_code') return issueToken(service, request);
    const { code, code_verifier: verifier } = input.body;
    return redeemCode(service, { ...request, clientId: request.clientId, code, verifier });
  },
});
