import * as openid from 'openid-client';
import type { Clock } from '../basics/clock.ts';
import type { OpenIdConfig } from '../basics/config/openid.ts';
import { Failure } from '../basics/failure.ts';
import { textProblem } from '../basics/text/readable-text.ts';
import { readClaim, sameIssuer } from './claims.ts';
import { limitedFetch } from './limited-fetch.ts';
import { providerFailure, unreachable } from './provider-failure.ts';

/** Values that bind the reply of the provider to the browser that started the sign-in. */
export interface SignInProof {
  state: string;
  nonce: string;
  verifier: string;
}

/** Verified claims about a person. */
export interface OpenIdClaims {
  issuer: string;
  /** The provider's id of the person. */
  subject: string;
  all: Readonly<Record<string, unknown>>;
}

export interface OpenIdProvider {
  /** URL at the provider to which the browser is sent. */
  authorizationUrl(callback: URL, proof: SignInProof): Promise<URL>;
  /** Exchanges the code in the callback URL and verifies the reply: signature, issuer, audience, nonce and time. */
  claims(callback: URL, proof: SignInProof): Promise<OpenIdClaims>;
}

const metadataKeptMs = 5 * 60_000;
const timeoutSeconds = 10;

/** Basic is the default of the specification; some providers support only the other. */
function authentication(server: openid.ServerMetadata, { clientSecret }: OpenIdConfig): openid.ClientAuth {
  if (!clientSecret) return openid.None();
  const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic')
    ? openid.ClientSecretBasic(clientSecret.reveal())
    : openid.ClientSecretPost(clientSecret.reveal());
}

/** Settings accept an unencrypted provider only on this machine. */
const isUnencrypted = ({ issuer }: OpenIdConfig): boolean => issuer.startsWith('http:');

async function discover(config: OpenIdConfig): Promise<openid.ServerMetadata> {
  const execute = isUnencrypted(config) ? [openid.allowInsecureRequests] : [];
  const options = { timeout: timeoutSeconds, execute, [openid.customFetch]: limitedFetch };
  try {
    const found = await openid.discovery(
      new URL(config.issuer),
      config.clientId,
      undefined,
      openid.None(),
      options,
    );
    return found.serverMetadata();
  } catch (cause) {
    throw unreachable(config.issuer, cause);
  }
}

/** A new configuration reads the provider's keys again, so that a rotated key is accepted at once. */
function configure(server: openid.ServerMetadata, config: OpenIdConfig): openid.Configuration {
  const made = new openid.Configuration(server, config.clientId, undefined, authentication(server, config));
  made.timeout = timeoutSeconds;
  made[openid.customFetch] = limitedFetch;
  if (isUnencrypted(config)) openid.allowInsecureRequests(made);
  // Without this, the signature is not verified.
  openid.enableNonRepudiationChecks(made);
  return made;
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/** Many providers return groups only from the userinfo endpoint. Claims in the signed token win. */
async function allClaims(
  configured: openid.Configuration,
  { usernameClaim, groupsClaim }: OpenIdConfig,
  tokens: Tokens,
): Promise<OpenIdClaims> {
  const claims = tokens.claims();
  if (!claims) throw new Failure('forbidden', 'The OpenID provider returned no ID token');
  const problem = textProblem(claims.sub);
  if (problem !== null)
    throw new Failure('forbidden', 'The reply of the OpenID provider is not valid', {
      description: `Reason: the claim sub ${problem}`,
    });
  const isMissing = [usernameClaim, groupsClaim].some((name) => readClaim(claims, name) === undefined);
  const more =
    isMissing && configured.serverMetadata().userinfo_endpoint
      ? await openid.fetchUserInfo(configured, tokens.access_token, claims.sub)
      : {};
  return { issuer: sameIssuer(claims.iss), subject: claims.sub, all: { ...more, ...claims } };
}

export function makeOpenIdProvider(config: OpenIdConfig, clock: Clock): OpenIdProvider {
  let known: { server: openid.ServerMetadata; until: number } | null = null;
  const connect = async (): Promise<openid.Configuration> => {
    if (!known || known.until <= clock.now())
      known = { server: await discover(config), until: clock.now() + metadataKeptMs };
    return configure(known.server, config);
  };
  return {
    authorizationUrl: async (callback, { state, nonce, verifier }) =>
      openid.buildAuthorizationUrl(await connect(), {
        redirect_uri: callback.href,
        scope: config.scope,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    claims: async (callback, { state, nonce, verifier }) => {
      const configured = await connect();
      try {
        const tokens = await openid.authorizationCodeGrant(configured, callback, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        return await allClaims(configured, config, tokens);
      } catch (cause) {
        throw providerFailure(config.issuer, cause);
      }
    },
  };
}
