import { finishOpenIdSignIn, type openIdRoutes } from '../../../contract/v3/sign-in/openid.ts';
import type { Actor } from '../../../operations/access/access.ts';
import { recordNow } from '../../../operations/audit/audit.ts';
import type { Service } from '../../../operations/service.ts';
import { describeIdentity, linkIdentity, unlinkIdentity } from '../../../operations/sign-in/openid/link.ts';
import { pendingSeconds } from '../../../operations/sign-in/openid/pending.ts';
import {
  type FinishedSignIn,
  finishSignIn,
  startSignIn,
} from '../../../operations/sign-in/openid/sign-in.ts';
import { type Handlers, noBody, type RequestFacts, reply } from '../../http/binding.ts';
import { signInCookie } from './sign-in-cookie.ts';

const redirect = (location: string, cookie: string) =>
  reply<never>({
    status: 302,
    headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' },
    body: noBody,
  });

/** Nobody sent a token, so the call is not recorded by itself; but the provider may have changed users and roles. */
async function record(service: Service, request: RequestFacts, finished: FinishedSignIn): Promise<void> {
  const { admission, clientId } = finished;
  if (!admission) return;
  const { user, changes, refusal } = admission;
  const { account_id: accountId, id: userId, username } = user;
  await recordNow(service, {
    actor: {
      kind: 'user',
      accountId,
      userId,
      username,
      master: false,
      roles: [],
      clientId,
      clientKind: 'sign-in',
    },
    route: { ...finishOpenIdSignIn, access: 'self' },
    stackId: null,
    named: new Map([['username', username]]),
    readOnly: false,
    denied: refusal !== null,
    status: 302,
    request,
    ...(changes.length > 0 ? { detail: changes.join('; ') } : {}),
  });
}

export const openIdHandlers = (service: Service): Handlers<typeof openIdRoutes, Actor> => {
  const cookieOf = () => signInCookie(service.settings.baseUrl);
  return {
    startOpenIdSignIn: async ({ query }) => {
      const { location, cookie } = await startSignIn(service, {
        clientId: query.client_id,
        redirectUri: query.redirect_uri,
        state: query.state ?? '',
        codeChallenge: query.code_challenge,
      });
      return redirect(location, cookieOf().set(cookie, pendingSeconds));
    },
    finishOpenIdSignIn: async ({ query, headers, request }) => {
      const { code, state, iss, error, error_description } = query;
      const parameters = { code, state, iss, error, error_description };
      const finished = await finishSignIn(service, cookieOf().read(headers.cookie), parameters);
      await record(service, request, finished);
      return redirect(finished.location, cookieOf().set('', 0));
    },
    linkOpenId: ({ actor, params, body: { subject, issuer } }) =>
      linkIdentity(service, actor, { username: params.username, subject, issuer }),
    describeOpenId: ({ actor, params }) => describeIdentity(service, actor, params.username),
    unlinkOpenId: async ({ actor, params }) => {
      await unlinkIdentity(service, actor, params.username);
      return { status: 'success' };
    },
  };
};
