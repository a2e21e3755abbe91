import { consolePath, serviceAddress } from '../api/base.ts';
import { callAsAnyone } from '../api/call.ts';
import { Refused } from '../api/failure.ts';

/** Kept while the browser is at the OpenID provider, in this tab alone: nobody else can finish this sign-in. */
const key = 'almanac single sign-on';

interface Pending {
  verifier: string;
  state: string;
  /** Where the person was going. */
  returnTo: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** Leaves the page for the OpenID provider. */
export async function startSingleSignOn(path: string): Promise<void> {
  const pending: Pending = {
    verifier: randomText(),
    state: randomText(),
    returnTo: location.pathname + location.search,
  };
  sessionStorage.setItem(key, JSON.stringify(pending));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'console',
    redirect_uri: `${location.origin}${consolePath}/`,
    state: pending.state,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: 'S256',
  });
  location.assign(`${serviceAddress()}${path}?${query.toString()}`);
}

function takePending(): Pending | null {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return text === null ? null : (JSON.parse(text) as Pending);
}

/** Why the last attempt failed; null: it did not. */
let failure: unknown = null;

export const singleSignOnFailure = (): unknown => failure;

async function finish(pending: Pending, search: URLSearchParams): Promise<void> {
  if (search.get('state') !== pending.state)
    throw new Refused('This is the answer to another sign-in. Try again.');
  const refused = search.get('error_description') ?? search.get('error');
  if (refused !== null) throw new Refused(refused);
  const body = { code: search.get('code') ?? '', code_verifier: pending.verifier };
  await callAsAnyone({ method: 'POST', path: '/v3/session', body });
}

/** Call it before anything is drawn: the browser may be back from the provider. */
export async function finishSingleSignOn(): Promise<void> {
  const search = new URLSearchParams(location.search);
  if (!search.has('state') || !(search.has('code') || search.has('error'))) return;
  const pending = takePending();
  if (pending === null) return;
  await finish(pending, search).catch((error: unknown) => {
    failure = error;
  });
  // The code is of no use any more, and belongs in no history.
  history.replaceState(null, '', pending.returnTo);
}
