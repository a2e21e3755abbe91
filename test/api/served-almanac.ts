import { afterAll, beforeAll } from 'vitest';
import { type Almanac, startAlmanac } from '../../src/almanac/start.ts';
import type { Clock } from '../../src/basics/clock.ts';
import { readConfig } from '../../src/basics/config.ts';
import { createLog, type Log } from '../../src/basics/log.ts';
import type { StackStatus } from '../../src/model/status.ts';
import type { Service } from '../../src/operations/service.ts';
import { type Answer, callHttp, eventually, type Json, type Request } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { makeOtherAccount } from './access/other-account.ts';
import { requireDocumented } from './documented-status.ts';

export type { Answer, Json, Request };

/** Login of the first account. */
export const first = {
  client_id: 'lg-first-client',
  client_secret: 'first-client-secret',
  username: 'root',
  password: 'first-root-password',
};

export interface ServeOptions {
  /** Default: 0 (no delay). */
  sandboxSpeed?: number;
  /** Additional settings, by environment variable. */
  environment?: Readonly<Record<string, string>>;
  log?: Log;
  /** Default: the real one. With a virtual one, nothing happens until the test moves it. */
  clock?: Clock;
}

/** A complete Almanac in this process, called over HTTP. See `useServedAlmanac`. */
export class ServedAlmanac {
  private running: { almanac: Almanac; place: TestPlace } | null = null;
  private readonly options: ServeOptions;
  private readonly tokens = new Map<string, Promise<string>>();

  constructor(options: ServeOptions = {}) {
    this.options = options;
  }

  static async start(options: ServeOptions = {}): Promise<ServedAlmanac> {
    const served = new ServedAlmanac(options);
    await served.start();
    return served;
  }

  async start(): Promise<void> {
    const place = await makeTestPlace();
    this.running = { place, almanac: await startAt(place, this.options) };
  }

  private get parts(): { almanac: Almanac; place: TestPlace } {
    if (this.running) return this.running;
    throw new Error('Almanac is not running; use it in tests and hooks only');
  }

  get url(): string {
    return this.parts.almanac.url;
  }

  get dataDirectory(): string {
    return this.parts.place.directory;
  }

  /** To change it as another process does. */
  get databaseUrl(): string {
    return this.parts.place.url;
  }

  /** For assertions on the state behind the API. */
  get service(): Service {
    return this.parts.almanac.service;
  }

  /** Restarts on the same data. */
  async restart({ samePort = false } = {}): Promise<void> {
    const { almanac, place } = this.parts;
    const port = samePort ? { ALM_PORT: new URL(almanac.url).port } : {};
    await almanac.stop();
    const environment = { ...this.options.environment, ...port };
    this.running = { place, almanac: await startAt(place, { ...this.options, environment }) };
  }

  async close(): Promise<void> {
    const { almanac, place } = this.parts;
    await almanac.stop();
    await place.remove();
    this.running = null;
  }

  /** Every test of the API also checks that the status is documented. */
  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const answer = await callHttp<Body>(method, this.url + path, request);
    requireDocumented(method, path, answer.status);
    return answer;
  }

  /** Token of the master user of the first account. */
  userToken = (): Promise<string> =>
    this.once('user', () => this.newToken({ ...first, grant_type: 'password' }));

  /** Token of the API client of the first account. */
  clientToken = (): Promise<string> => {
    const { client_id, client_secret } = first;
    return this.once('client', () =>
      this.newToken({ client_id, client_secret, grant_type: 'client_credentials' }),
    );
  };

  /** Token of the stack, as its agents get it. */
  stackToken = (stackId: string): Promise<string> =>
    this.once(stackId, async () => {
      const stack = await this.describe(stackId);
      return this.newToken({
        client_id: stackId,
        client_secret: String(stack.auth_token),
        grant_type: 'client_credentials',
      });
    });

  /** Token of the master user of another account, which also has a sandbox credential. */
  otherAccountToken = (): Promise<string> =>
    this.once('other account', async () =>
      this.newToken({ ...(await makeOtherAccount(this.service)), grant_type: 'password' }),
    );

  /** Creates a stack as the master user or as the owner of the token. Returns its id. */
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

  /** Polls until the stack has the status. Returns the stack. */
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
    if (answer.status !== 200) throw new Error(`No token was issued: ${answer.text}`);
    return String(answer.body.access_token);
  }
}

/** Starts an Almanac before the tests of the file (or of the enclosing `describe`) and stops it after them. */
export const useServedAlmanac = (options: ServeOptions = {}): ServedAlmanac => {
  const almanac = new ServedAlmanac(options);
  beforeAll(() => almanac.start());
  afterAll(() => almanac.close());
  return almanac;
};

/** A log that keeps all lines, for tests that search it. */
export const recordLog = (): { log: Log; lines: string[] } => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: createLog({ level: 'trace', destination }), lines };
};

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
      // Tests do not call clouds.
      ALM_ALICLOUD_ENDPOINT: 'http://127.0.0.1:9',
      ALM_SBCLOUD_ENDPOINT: 'http://127.0.0.1:9',
      // Tests exceed the default rate limits; tests of the limits set them.
      ALM_RATE_LIMIT: '0',
      ALM_TOKEN_RATE_LIMIT: '0',
      // The tests of a busy machine delay each other.
      ALM_MAX_LAG: '0',
      ...options.environment,
    }),
    options.log ?? createLog({ level: 'silent' }),
    options.clock,
  );
