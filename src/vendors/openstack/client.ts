import { atMost } from '../../basics/at-most.ts';
import { sharedWork, waitForShared } from '../../basics/calls/call-limit.ts';
import type { Clock } from '../../basics/clock.ts';
import { CredentialRejected, Unreachable } from '../vendor.ts';
import { accessRejected, CloudError } from './errors.ts';
import { parseIdentity } from './rest/identity.ts';
import { type Fetch, send, type Transfer } from './rest/transport.ts';
import { type CloudAccess, isUsable, type Service, type Session, signIn } from './session.ts';

/** Called for every request sent. */
export type CountCall = (service: string, operation: string) => void;

interface CloudRequest {
  service: Service;
  /** Below the address of the service in the catalog. */
  path: string;
  body?: unknown;
  microversion?: string;
}

interface CloudChange extends CloudRequest {
  method: Exclude<Transfer['method'], 'GET'>;
  /** The sign-in that the body was made for. */
  session?: Session;
}

/** The services of a cloud in one region, with one credential. Rejected access is `CredentialRejected` in every call. */
export interface Client {
  region: string;
  /** Signs in with an application credential, which some clouds do not let Heat use. */
  isApplication: boolean;
  /** Reads share one sign-in. */
  session(): Promise<Session>;
  /** Every change has a sign-in of its own: the cloud continues the work with its token. */
  newSession(): Promise<Session>;
  read<T>(request: CloudRequest): Promise<T>;
  change<T>(request: CloudChange): Promise<T>;
}

export interface ClientParts {
  access: CloudAccess;
  region: string;
  clock: Clock;
  countCall: CountCall;
  fetch?: Fetch;
  /** Why the cloud is not called. */
  forbidden?: string;
}

export const makeClient = (parts: ClientParts): Client => new CloudClient(parts);

/** Heat computes the outputs of each stack that is read: thousands at once would all take too long. */
const readsAtOnce = 16;

class CloudClient implements Client {
  readonly #parts: ClientParts;
  readonly #inTurn = atMost(readsAtOnce);
  readonly #fetch: Fetch;
  #shared: Promise<Session> | undefined;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#fetch = parts.fetch ?? globalThis.fetch;
  }

  get region(): string {
    return this.#parts.region;
  }

  get isApplication(): boolean {
    return parseIdentity(this.#parts.access.credentialId)?.kind === 'application';
  }

  async session(): Promise<Session> {
    const newest = this.#shared ?? this.newSession();
    const known = await waitForShared(newest);
    if (isUsable(known, this.#parts.clock.now())) return known;
    // Another read may have signed in while this one waited.
    return waitForShared(this.#shared === newest || !this.#shared ? this.newSession() : this.#shared);
  }

  /** Reads use the newest session, and wait for it. A sign-in that fails is not kept. */
  newSession(): Promise<Session> {
    const { access, clock, countCall, forbidden } = this.#parts;
    if (forbidden !== undefined) return Promise.reject(new CredentialRejected(forbidden));
    countCall('identity', 'POST');
    const starting = sharedWork(() => signIn(access, clock, this.#fetch));
    this.#shared = starting;
    starting.catch(() => {
      if (this.#shared === starting) this.#shared = undefined;
    });
    return starting;
  }

  async read<T>(request: CloudRequest): Promise<T> {
    return this.#inTurn(async () => (await this.#call(await this.session(), 'GET', request)) as T);
  }

  async change<T>({ method, session, ...request }: CloudChange): Promise<T> {
    return (await this.#call(session ?? (await this.newSession()), method, request)) as T;
  }

  async #call(session: Session, method: Transfer['method'], request: CloudRequest): Promise<unknown> {
    try {
      return await this.#withNewToken(session, method, request);
    } catch (cause) {
      throw (cause instanceof CloudError && accessRejected(cause)) || cause;
    }
  }

  /** A token may end early: signs in once more, and repeats the request once. */
  async #withNewToken(session: Session, method: Transfer['method'], request: CloudRequest): Promise<unknown> {
    try {
      return await this.#send(session, method, request);
    } catch (cause) {
      if (!(cause instanceof CloudError) || cause.status !== 401) throw cause;
      return this.#send(await this.newSession(), method, request);
    }
  }

  async #send(session: Session, method: Transfer['method'], request: CloudRequest): Promise<unknown> {
    const { service, path, ...content } = request;
    const base = session.endpoint(service, this.region);
    if (base === undefined) throw new Unreachable(missing(session, service, this.region));
    this.#parts.countCall(service, method);
    const { token } = session;
    const { body } = await send(this.#fetch, { service, method, url: `${base}${path}`, token, ...content });
    return body;
  }
}

function missing(session: Session, service: Service, region: string): string {
  if (!session.regions.includes(region))
    return `The cloud has no region ${region}; it has ${session.regions.join(', ') || 'none with Heat'}`;
  return `The cloud has no service of type ${service} in region ${region}`;
}
