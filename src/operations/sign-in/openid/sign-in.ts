import { Failure } from '../../../basics/failure.ts';
import { randomText } from '../../../basics/random.ts';
import { publicClientId } from '../../../model/client-kinds.ts';
import type { OpenIdClaims } from '../../../openid/provider.ts';
import type { UserRow } from '../../../store/access/accounts.ts';
import { insertSignInCode } from '../../../store/access/sign-in-codes.ts';
import { readMeta } from '../../../store/database/meta.ts';
import { changeAccess } from '../../access/access-lock.ts';
import { digest, equalTexts, hashChosen } from '../../access/secret-hash.ts';
import { refuseSuspended } from '../../access/suspension.ts';
import type { OpenIdSignIn, Service } from '../../service.ts';
import { userOfIdentity } from './identities.ts';
import { newPendingSignIn, type PendingSignIn, proofOf, sealPending, unsealPending } from './pending.ts';
import { checkedRedirectUri, redirectWith } from './redirect-uri.ts';
import { groupsIn, syncRoles } from './sync-roles.ts';

const callbackPath = '/v3/sign_in/oidc/callback';
const codeSeconds = 60;

export interface StartRequest {
  clientId: string;
  redirectUri: string;
  state: string;
  codeChallenge: string;
}

/** The parameters that the provider adds to the callback URL. */
export type CallbackParameters = Readonly<Record<string, string | undefined>>;

export interface FinishedSignIn {
  /** Address of the client, with a code or an error. */
  location: string;
  /** Null: the sign-in failed. */
  signedIn: { user: UserRow; clientId: string; changes: string[] } | null;
}

function openIdOf({ openId }: Service): OpenIdSignIn {
  if (openId) return openId;
  throw new Failure('not_found', 'This server has no OpenID provider', {
    description: 'Sign in with a password. The operator can set ALM_OIDC_ISSUER.',
  });
}

const callbackOf = ({ settings }: Service): URL => new URL(settings.baseUrl + callbackPath);

/** Returns the address at the provider and the sealed cookie for the browser. */
export async function startSignIn(
  service: Service,
  request: StartRequest,
): Promise<{ location: string; cookie: string }> {
  const { provider } = openIdOf(service);
  if (request.clientId !== publicClientId)
    throw new Failure('invalid_request', `client_id must be ${publicClientId}`);
  const redirectUri = checkedRedirectUri(service.settings.baseUrl, request.redirectUri);
  const pending = newPendingSignIn(service, { ...request, redirectUri });
  const location = await provider.authorizationUrl(callbackOf(service), proofOf(pending));
  return { location: location.href, cookie: sealPending(service, pending) };
}

/** Only the browser that started the sign-in has the cookie, and only the reply to this sign-in has the state. */
function pendingOf(service: Service, cookie: string, state: string): PendingSignIn {
  const pending = unsealPending(service, cookie);
  if (pending && equalTexts(proofOf(pending).state, state)) return pending;
  throw new Failure('invalid_request', 'This browser did not start this sign-in, or the sign-in is too old', {
    description: 'Start again, and finish within 10 minutes in the same browser window.',
  });
}

const accountOf = async (service: Service, { config }: OpenIdSignIn): Promise<string> =>
  config.accountId ?? (await readMeta(service.database.query, 'first_account')) ?? '';

async function admit(
  service: Service,
  claims: OpenIdClaims,
  { clientId, codeChallenge }: PendingSignIn,
): Promise<{ user: UserRow; clientId: string; changes: string[]; code: string }> {
  const openId = openIdOf(service);
  const { groupsClaim, roles: mapping } = openId.config;
  const groups = mapping.length > 0 ? groupsIn(claims.all, groupsClaim) : [];
  const accountId = await accountOf(service, openId);
  const code = randomText(43);
  // Before the change, because hashing may have to wait.
  const passwordHash = await hashChosen(service.hashing.of(`account ${accountId}`), randomText(43));
  return changeAccess(service, accountId, async (query) => {
    await refuseSuspended(query, accountId);
    const { user, isNew } = await userOfIdentity(service, query, { accountId, passwordHash, claims, openId });
    const now = service.clock.now();
    const changes = await syncRoles(query, { user, groups, mapping, now });
    const row = {
      hash: digest(code),
      user_id: user.id,
      client_id: clientId,
      code_challenge: codeChallenge,
      expires_at: now + codeSeconds * 1000,
    };
    await insertSignInCode(query, row, now);
    return { user, clientId, changes: [...(isNew ? ['user created'] : []), ...changes], code };
  });
}

const oauthErrorOf = ({ kind }: Failure): string =>
  kind === 'unavailable' ? 'temporarily_unavailable' : 'access_denied';

/** Once the browser has proved that it started the sign-in, failures go to the client that waits for the result. */
export async function finishSignIn(
  service: Service,
  cookie: string,
  parameters: CallbackParameters,
): Promise<FinishedSignIn> {
  const { provider } = openIdOf(service);
  const pending = pendingOf(service, cookie, parameters['state'] ?? '');
  const callback = callbackOf(service);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) callback.searchParams.set(name, value);
  try {
    const { code, ...signedIn } = await admit(
      service,
      await provider.claims(callback, proofOf(pending)),
      pending,
    );
    return { location: redirectWith(pending, { code }), signedIn };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const error_description = [error.message, error.description].filter((text) => text !== '').join('. ');
    return {
      location: redirectWith(pending, { error: oauthErrorOf(error), error_description }),
      signedIn: null,
    };
  }
}
