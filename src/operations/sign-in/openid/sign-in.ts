import { Failure } from '../../../basics/failure.ts';
import { consoleClientId, publicClientId } from '../../../model/client-kinds.ts';
import { equalTexts } from '../../access/secret-hash.ts';
import type { OpenIdSignIn, Service } from '../../service.ts';
import { type Admission, admit } from './admit.ts';
import { newPendingSignIn, type PendingSignIn, proofOf, sealPending, unsealPending } from './pending.ts';
import { checkedRedirectUri, redirectWith } from './redirect-uri.ts';

/** Clients without a secret: the command line, and pages of this service. */
const clients: ReadonlySet<string> = new Set([publicClientId, consoleClientId]);

const callbackPath = '/v3/sign_in/oidc/callback';

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
  /** For the audit log. Null: the sign-in failed and changed nothing. */
  admission: Pick<Admission, 'user' | 'changes' | 'refusal'> | null;
  clientId: string;
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
  if (!clients.has(request.clientId))
    throw new Failure('invalid_request', `client_id must be ${[...clients].join(' or ')}`);
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

const temporary: ReadonlySet<string> = new Set(['unavailable', 'too_many_requests']);

function redirectFailed(pending: PendingSignIn, { kind, message, description }: Failure): string {
  const error = temporary.has(kind) ? 'temporarily_unavailable' : 'access_denied';
  const error_description = [message, description].filter((text) => text !== '').join('. ');
  return redirectWith(pending, { error, error_description });
}

/** Once the browser has proved that it started the sign-in, failures go to the client that waits for the result. */
export async function finishSignIn(
  service: Service,
  cookie: string,
  parameters: CallbackParameters,
): Promise<FinishedSignIn> {
  const openId = openIdOf(service);
  const { provider } = openId;
  const pending = pendingOf(service, cookie, parameters['state'] ?? '');
  const callback = callbackOf(service);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) callback.searchParams.set(name, value);
  const { clientId } = pending;
  try {
    const claims = await provider.claims(callback, proofOf(pending));
    const admission = await admit(service, openId, { claims, pending });
    const { refusal, code } = admission;
    const location = refusal ? redirectFailed(pending, refusal) : redirectWith(pending, { code });
    return { location, admission, clientId };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { location: redirectFailed(pending, error), admission: null, clientId };
  }
}
