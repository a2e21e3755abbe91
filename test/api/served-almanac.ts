import { type Almanac, startAlmanac } from '../../src/almanac/start.ts';
import { readConfig } from '../../src/basics/config.ts';
import { createLog, type Log } from '../../src/basics/log.ts';
import type { StackStatus } from '../../src/model/status.ts';
import type { Service } from '../../src/operations/service.ts';
import { type Answer, callHttp, eventually, type Json, type Request } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { makeOtherAccount } from './access/other-account.ts';

export type { Answer, Json, Request };

/** What the first account signs in with. */
export const first = {
  client_id: 'lg-first-client',
  client_secret: 'first-client-secret',
  username: 'root',
  password: 'first-root-password',
};

export interface ServeOptions {
  /** 0 (at once) when absent. */
  sandboxSpeed?: number;
  /** More settings, by their names. */
  environment?: Readonly<Record<string, string>>;
  log?: Log;
}

/** A whole Almanac in this process, reached over HTTP only. One for a test file: `beforeAll`, `afterAll`. */
export class ServedAlmanac {
  private almanac: Almanac;
  private readonly place: TestPlace;
  private readonly options: ServeOptions;
  private readonly tokens = new Map<string, Promise<string>>();

  private constructor(place: TestPlace, options: ServeOptions, almanac: Almanac) {
    this.place = place;
    this.options = options;
    this.almanac = almanac;
  }

  static async start(options: ServeOptions = {}): Promise<ServedAlmanac> {
    const place = await makeTestPlace();
    return new ServedAlmanac(place, options, await startAt(place, options));
  }

  get url(): string {
    return this.almanac.url;
  }

  get dataDirectory(): string {
    return this.place.directory;
  }

  /** For looking at the world behind the interface. */
  get service(): Service {
    return this.almanac.service;
  }

  /** Stops, and starts again on the same data. */
  async restart(): Promise<void> {
    await this.almanac.stop();
    this.almanac = await startAt(this.place, this.options);
  }

  async close(): Promise<void> {
    await this.almanac.stop();
    await this.place.remove();
  }

  call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    return callHttp<Body>(method, this.url + path, request);
  }

  /** A token of the first account's master user. */
  userToken = (): Promise<string> =>
    this.once('user', () => this.newToken({ ...first, grant_type: 'password' }));

  /** A token of the first account's API client. */
  clientToken = (): Promise<string> => {
    const { client_id, client_secret } = first;
    return this.once('client', () =>
      this.newToken({ client_id, client_secret, grant_type: 'client_credentials' }),
    );
  };

  /** A token of the stack itself, as its agents get it. */
  stackToken = (stackId: string): Promise<string> =>
    this.once(stackId, async () => {
      const stack = await this.describe(stackId);
      return this.newToken({
        client_id: stackId,
        client_secret: String(stack.auth_token),
        grant_type: 'client_credentials',
      });
    });

  /** A token of the master user of another account, which has a sandbox credential too. */
  otherAccountToken = (): Promise<string> =>
    this.once('other account', async () =>
      this.newToken({ ...(await makeOtherAccount(this.service)), grant_type: 'password' }),
    );

  /** Creates a stack as the master user (or whose token is given); gives its id. */
  async applyTemplate(template: object = oneServer(), token?: string): Promise<string> {
    const owner = token ?? (await this.userToken());
    const answer = await this.call('POST', '/v3/alm/template', { token: owner, json: template });
    if (answer.status !== 201) throw new Error(`The template was not accepted: ${answer.text}`);
    return String(answer.body.stack_id);
  }

  async describe(stackId: string): Promise<Json> {
    const token = await this.userToken();
    return (await this.call('GET', `/v3/alm/stack/${stackId}`, { token })).body;
  }

  /** Looks again and again until the stack has the status; gives the stack. */
  async waitFor(stackId: string, status: StackStatus, seconds = 10): Promise<Json> {
    return eventually(
      () => this.describe(stackId),
      (found) => found.stack_status === status,
      seconds,
    );
  }

  private once(name: string, make: () => Promise<string>): Promise<string> {
    const token = this.tokens.get(name) ?? make();
    this.tokens.set(name, token);
    return token;
  }

  async newToken(json: object): Promise<string> {
    const answer = await this.call('POST', '/v3/access_token', { json });
    if (answer.status !== 200) throw new Error(`No token was given: ${answer.text}`);
    return String(answer.body.access_token);
  }
}

const startAt = (place: TestPlace, options: ServeOptions): Promise<Almanac> =>
  startAlmanac(
    readConfig({
      ALM_PORT: '0',
      ALM_DATA: place.directory,
      DATABASE_URL: place.url,
      ALM_CLIENT_ID: first.client_id,
      ALM_CLIENT_SECRET: first.client_secret,
      ALM_ROOT_USERNAME: first.username,
      ALM_ROOT_PASSWORD: first.password,
      ALM_SANDBOX_SPEED: String(options.sandboxSpeed ?? 0),
      ALM_LOG: 'silent',
      // Tests ask faster than anybody should; those of the limits set them.
      ALM_RATE_LIMIT: '0',
      ALM_TOKEN_RATE_LIMIT: '0',
      ...options.environment,
    }),
    options.log ?? createLog({ level: 'silent' }),
  );
