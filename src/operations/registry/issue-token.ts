import { Failure } from '../../basics/failure.ts';
import { accountPrefix } from '../../model/registry/repository-name.ts';
import { readMeta } from '../../store/database/meta.ts';
import { type Actor, authenticate, nameOf } from '../access/access.ts';
import type { Service } from '../service.ts';
import type { TokenCaller } from '../sign-in/token-origin.ts';
import { decideAccess } from './decide-access.ts';
import { readScopes, scopeText } from './scopes.ts';
import { checkBasic, type SignedIn } from './sign-in/check-basic.ts';
import { actorOfRefreshToken, sealRefreshToken, storeRefreshToken } from './sign-in/refresh-tokens.ts';
import { wrongToken } from './sign-in/wrong-credentials.ts';
import { type SignedToken, signRegistryToken } from './sign-token.ts';

/** How a caller of the token endpoint shows who it is. */
export type Proof =
  | { kind: 'none' }
  | { kind: 'access token'; token: string }
  | { kind: 'refresh token'; token: string }
  | { kind: 'password'; username: string; password: string };

export interface RegistryTokenRequest {
  caller: TokenCaller;
  proof: Proof;
  /** The registry that the token is for. */
  service: string | undefined;
  scopes: readonly string[];
  /** Whether to return a refresh token as well. */
  offline: boolean;
  /** Called once it is known who asks. */
  signedIn: (actor: Actor) => void | Promise<void>;
}

export interface IssuedRegistryToken extends SignedToken {
  scope: string;
  refreshToken?: string;
}

type Who = SignedIn | null;

async function identify(service: Service, { proof, caller }: RegistryTokenRequest): Promise<Who> {
  switch (proof.kind) {
    case 'none':
      return null;
    case 'password':
      return checkBasic(service, { ...proof, address: caller.address });
    case 'refresh token':
    case 'access token': {
      const find = proof.kind === 'access token' ? authenticate : actorOfRefreshToken;
      const actor = await find(service, proof.token);
      if (actor === null) throw wrongToken();
      return { actor };
    }
  }
}

/** Only users get one; who has one already keeps it. */
async function refreshTokenFor(
  service: Service,
  { actor, user }: SignedIn,
  { caller, offline, proof }: RegistryTokenRequest,
): Promise<string | undefined> {
  if (!offline || actor.kind !== 'user' || proof.kind === 'refresh token') return undefined;
  if (user) return storeRefreshToken(service, caller, user);
  if (actor.tokenHash === undefined) return undefined;
  const lasts = proof.kind === 'password' ? 'as long as the token' : 'an hour';
  return sealRefreshToken(service, { tokenHash: actor.sessionHash ?? actor.tokenHash, lasts });
}

const refuseOtherService = (service: Service, asked: string | undefined): void => {
  const { service: ours } = service.settings.registry;
  if (asked === undefined || asked === '' || asked === ours) return;
  const message = `service must be ${ours}`;
  throw new Failure('invalid_request', message, { problems: [{ path: 'service', message }] });
};

/** Who pushed and pulled, in notifications of the registry: unique on the server. */
const subjectOf = (actor: Actor, firstAccountId: string): string =>
  actor.kind === 'user' ? accountPrefix(actor.accountId, firstAccountId) + actor.username : nameOf(actor);

const signInRequired = (): Failure =>
  new Failure('unauthorized', 'Sign in to the registry', {
    description: 'Use your username and password, or a personal access token as the password.',
  });

/** Issues a token with what the caller may do of what it asks for; without scopes it only checks who the caller is. */
export async function issueRegistryToken(
  service: Service,
  request: RegistryTokenRequest,
): Promise<IssuedRegistryToken> {
  refuseOtherService(service, request.service);
  const requested = readScopes(request.scopes);
  const who = await identify(service, request);
  if (who) await request.signedIn(who.actor);
  if (who === null && request.scopes.length === 0) throw signInRequired();
  const firstAccountId = (await readMeta(service.database.query, 'first_account')) ?? '';
  const access = await decideAccess(service, who?.actor ?? null, { requested, firstAccountId });
  const subject = who ? subjectOf(who.actor, firstAccountId) : '';
  const signed = await signRegistryToken(service, { access, subject });
  const refreshToken = who ? await refreshTokenFor(service, who, request) : undefined;
  return { ...signed, scope: scopeText(access), ...(refreshToken === undefined ? {} : { refreshToken }) };
}
