import { offsetTime } from '../../../basics/clock.ts';
import { Failure } from '../../../basics/failure.ts';
import type { sessionRoutes } from '../../../contract/v3/sign-in/session.ts';
import { type Actor, authenticate } from '../../../operations/access/access.ts';
import {
  allowedActions,
  explainOwnPermissions,
  namedRoles,
} from '../../../operations/access/own-permissions.ts';
import { signedInUser } from '../../../operations/access/users.ts';
import { namespaceFor, registryAddress } from '../../../operations/registry/address.ts';
import type { Service } from '../../../operations/service.ts';
import { passkeysOff } from '../../../operations/sign-in/passkeys/relying-party.ts';
import {
  describeSession,
  endSession,
  endSuspendedSession,
  renewSession,
  startSession,
  startSessionWithCode,
  startSessionWithPasskey,
} from '../../../operations/sign-in/session.ts';
import { type Handlers, noBody, type RequestFacts, reply } from '../../http/binding.ts';
import {
  isCookieIgnored,
  isLoopbackPage,
  isOwnPage,
  isSecurePage,
  sessionCookie,
} from '../../http/session-cookie.ts';
import { withoutExtensions } from '../input/credential.ts';

export interface SessionOptions {
  version: string;
  /** Whether cookies are set over plain http beyond this machine. */
  consoleOverHttp: boolean;
}

type SessionHandlers = Handlers<typeof sessionRoutes, Actor>;
type SessionBody = Parameters<SessionHandlers['createSession']>[0]['body'];
type PageHeaders = Parameters<SessionHandlers['createSession']>[0]['headers'];

const noStore = { 'cache-control': 'no-store' };

/** Another site could otherwise sign the browser in as another user, who then sees what the person enters. */
function refuseForeignPage(headers: PageHeaders, baseUrl: string): void {
  if (isOwnPage(headers, baseUrl) !== false) return;
  throw new Failure('forbidden', 'Another site sent this request', {
    description: `Sign in on a page of this service. Its URL is ${baseUrl}; behind a proxy, the operator sets ALM_BASE_URL to the URL that browsers use.`,
  });
}

function refuseOpenNetwork(headers: PageHeaders, baseUrl: string): void {
  if (isSecurePage(headers, baseUrl) || isLoopbackPage(headers)) return;
  const message = 'Signing in over plain http is possible only on the machine of the server itself';
  throw new Failure('invalid_request', message, {
    description:
      'Everyone on the network could take over the session. Serve https with a proxy and set ALM_BASE_URL to its https:// URL, or set ALM_CONSOLE_HTTP=1 to accept the risk.',
  });
}

function refuseIgnoredCookie(headers: PageHeaders, baseUrl: string): void {
  if (!isCookieIgnored(headers, baseUrl)) return;
  throw new Failure('invalid_request', 'Signing in is possible only at the https URL of this service', {
    description: `This page was opened over plain http, where a session would not count. Open ${baseUrl}/console/ instead. The operator sets this URL with ALM_BASE_URL.`,
  });
}

const notSpecified = (path: string): Failure =>
  new Failure('invalid_request', `${path} not specified`, {
    problems: [{ path, message: `${path} not specified` }],
  });

/** Signs in by a passkey, by a code of the OpenID provider, or by name and password. */
function tokenFor(service: Service, request: RequestFacts, body: SessionBody): Promise<string> {
  const { username, password, otp, code, code_verifier: verifier, passkey } = body;
  if (passkey !== undefined) return startSessionWithPasskey(service, request, withoutExtensions(passkey));
  if (code !== undefined) {
    if (verifier === undefined) throw notSpecified('code_verifier');
    return startSessionWithCode(service, request, { code, verifier });
  }
  if (username === undefined) throw notSpecified('username');
  if (password === undefined) throw notSpecified('password');
  return startSession(service, request, { login: username, password, otp: otp || null });
}

/** Null: nobody, or not a user. */
async function userOf(service: Service, token: string | null) {
  const actor = token === null ? null : await authenticate(service, token);
  return actor?.kind === 'user' ? actor : null;
}

/** Users of a suspended account learn it when they sign in. */
const nobodyIfSuspended = (error: unknown): null => {
  if (error instanceof Failure && error.kind === 'account_suspended') return null;
  throw error;
};

async function signOut(service: Service, token: string, address: string): Promise<void> {
  const actor = await Promise.resolve(authenticate(service, token)).catch(nobodyIfSuspended);
  if (actor) await endSession(service, signedInUser(actor), address);
  else await endSuspendedSession(service, token, address);
}

async function present(service: Service, user: NonNullable<Awaited<ReturnType<typeof userOf>>>) {
  const { expiresAt, renewableUntil } = await describeSession(service, user);
  const namespace = await namespaceFor(service, user);
  return {
    user: { name: user.username, master: user.master, account_id: user.accountId, namespace },
    expires_at: offsetTime(expiresAt),
    renewable_until: renewableUntil === null ? null : offsetTime(renewableUntil),
    actions: allowedActions(user),
  };
}

const waysToSignIn = ({ openId, settings }: Service) => ({
  password: true,
  openid: openId ? '/v3/sign_in/oidc' : null,
  passkeys_off: passkeysOff(settings.baseUrl),
});

export function sessionHandlers(service: Service, options: SessionOptions): SessionHandlers {
  const baseUrl = () => service.settings.baseUrl;
  const cookieHeader = (token: string, headers: PageHeaders) => ({
    ...noStore,
    'set-cookie': sessionCookie(token, isSecurePage(headers, baseUrl())),
  });
  return {
    createSession: async ({ body, headers, request }) => {
      refuseForeignPage(headers, baseUrl());
      refuseIgnoredCookie(headers, baseUrl());
      if (!options.consoleOverHttp) refuseOpenNetwork(headers, baseUrl());
      const token = await tokenFor(service, request, body);
      return reply<never>({ headers: cookieHeader(token, headers), body: noBody });
    },
    describeSession: async ({ token }) => {
      const user = await userOf(service, token).catch(nobodyIfSuspended);
      const sign_in = waysToSignIn(service);
      const found = user ? await present(service, user) : { user };
      const registry = {
        url: (await registryAddress(service))?.url ?? null,
        service: service.settings.registry.service,
      };
      return reply({ headers: noStore, body: { ...found, sign_in, registry, version: options.version } });
    },
    endSession: async ({ token, headers, request }) => {
      if (token !== null) await signOut(service, token, request.address);
      return reply<never>({ headers: cookieHeader('', headers), body: noBody });
    },
    renewSession: async ({ actor, headers }) => {
      const { token, expiresAt, renewableUntil } = await renewSession(service, actor);
      const body = { expires_at: offsetTime(expiresAt), renewable_until: offsetTime(renewableUntil) };
      return reply({ headers: token === null ? noStore : cookieHeader(token, headers), body });
    },
    describePermissions: async ({ actor, query }) => ({
      roles: namedRoles(signedInUser(actor)),
      actions: await explainOwnPermissions(service, signedInUser(actor), query.stack_id || null),
    }),
  };
}
