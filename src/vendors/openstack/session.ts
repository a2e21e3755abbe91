import type { Clock } from '../../basics/clock.ts';
import type { Secret } from '../../basics/secret.ts';
import { CredentialRejected, Unreachable } from '../vendor.ts';
import type { ServiceType } from './choose/cloud-facts.ts';
import { CloudError } from './errors.ts';
import { identityForms, parseIdentity, signInBody } from './rest/identity.ts';
import { type Fetch, send } from './rest/transport.ts';

/** How to sign in to a cloud. */
export interface CloudAccess {
  /** The address of Keystone, in the form of `normalAuthUrl`. */
  authUrl: string;
  credentialId: string;
  secret: Secret;
}

/** A type of service in the catalog of a cloud. */
export type Service = ServiceType;

/** One sign-in. The cloud continues work with the token of its request, so a token must outlive the work. */
export interface Session {
  token: string;
  projectId: string;
  /** How long the token was valid when it was issued, by the clock of the cloud. */
  lifeMs: number;
  /** When it was issued, by our clock: the two may differ. */
  startedAt: number;
  regions: readonly string[];
  /** The public address of a service in a region; undefined: the cloud does not have it. */
  endpoint(service: Service, region: string): string | undefined;
}

interface Token {
  issued_at: string;
  expires_at: string;
  project?: { id: string };
  catalog?: readonly { type: string; endpoints: readonly Endpoint[] }[];
}

interface Endpoint {
  interface: string;
  region_id?: string;
  url: string;
}

/** Some clouds write the version of the interface in these addresses, others do not. Paths in requests have it. */
const versioned: ReadonlySet<string> = new Set(['network', 'image', 'load-balancer', 'key-manager']);
const addressOf = (service: string, url: string): string => {
  const plain = url.replace(/\/+$/, '');
  return versioned.has(service) ? plain.replace(/\/v\d+(\.\d+)?$/, '') : plain;
};

/** Services have other names in the catalogs of some clouds. */
const aliases: Readonly<Partial<Record<Service, readonly string[]>>> = {
  volumev3: ['volumev3', 'block-storage', 'volume'],
};

function sessionOf(token: Token, header: string, startedAt: number): Session {
  const services = token.catalog ?? [];
  const open = (type: string): Endpoint[] =>
    services
      .filter((it) => it.type === type)
      .flatMap(({ endpoints }) => endpoints)
      .filter((it) => it.interface === 'public');
  return {
    token: header,
    projectId: token.project?.id ?? '',
    lifeMs: Date.parse(token.expires_at) - Date.parse(token.issued_at),
    startedAt,
    regions: [...new Set(open('orchestration').flatMap(({ region_id }) => region_id ?? []))].toSorted(),
    endpoint: (service, region) => {
      const found = (aliases[service] ?? [service]).flatMap(open).find((it) => it.region_id === region);
      return found && addressOf(service, found.url);
    },
  };
}

const rejections: Readonly<Record<number, string>> = {
  401: 'The cloud does not know the user, the project or the application credential, or the password or secret is wrong, or the user is disabled. Save a valid credential under the same id',
  403: 'The user may not sign in to the project. Give it a role there',
  404: 'Keystone is not at this auth URL, or the application credential was deleted. Save a valid credential',
};

/** Signs in. A wrong password is `CredentialRejected`; a cloud that does not answer is `Unreachable`. */
export async function signIn(
  { authUrl, credentialId, secret }: CloudAccess,
  clock: Clock,
  fetch: Fetch,
): Promise<Session> {
  const identity = parseIdentity(credentialId);
  if (!identity) throw new CredentialRejected(`The id of the credential is not valid. ${identityForms}.`);
  const startedAt = clock.now();
  try {
    const { body, headers } = await send(fetch, {
      service: 'identity',
      method: 'POST',
      url: `${authUrl}/v3/auth/tokens`,
      body: signInBody(identity, secret),
    });
    const { token } = body as { token?: Token };
    const session = token && sessionOf(token, headers.get('x-subject-token') ?? '', startedAt);
    if (session?.token && session.lifeMs > 0) return session;
    throw new Unreachable('The cloud answers the sign-in without a token, or without the dates of its life');
  } catch (cause) {
    const meaning = cause instanceof CloudError ? rejections[cause.status] : undefined;
    if (!(cause instanceof CloudError)) throw cause;
    const text = meaning ?? 'The cloud refuses the sign-in';
    throw new CredentialRejected(`${text} (${cause.status}: ${cause.message})`, { cause });
  }
}

/** A token near its end is not used for another read: half of a short life, else five minutes. */
const marginMs = (lifeMs: number): number => Math.min(300_000, lifeMs / 2);

export const isUsable = ({ startedAt, lifeMs }: Session, now: number): boolean =>
  now < startedAt + lifeMs - marginMs(lifeMs);

const maxTimeoutMinutes = 120;

/** How long a stack may be in work with the token of its request: five minutes less than the token is valid. */
export const timeoutMinutes = ({ lifeMs }: Session): number =>
  Math.max(1, Math.min(maxTimeoutMinutes, Math.floor(lifeMs / 60_000) - 5));
