import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { StackStatus } from '../../src/model/status.ts';
import { type Answer, callHttp, eventually, type Json, type Request } from '../http.ts';
import type { TestPlace } from '../open-database.ts';

/** What `npm run build` made; TEST_DIST names another build. */
const program = resolve(process.env.TEST_DIST ?? 'dist', 'almanac', 'main.js');

export const login = {
  client_id: 'lg-e2e-client',
  client_secret: 'e2e-client-secret',
  username: 'root',
  password: 'e2e-root-password',
};

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Readonly<Record<string, string>>;

export const environmentFor = (place: TestPlace, settings: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  ALM_PORT: '0',
  ALM_DATA: place.directory,
  DATABASE_URL: place.url,
  ALM_LOG: 'warn',
  ALM_SANDBOX_SPEED: '0',
  // Tests do not call clouds.
  ALM_ALICLOUD_ENDPOINT: 'http://127.0.0.1:9',
  ALM_SBCLOUD_ENDPOINT: 'http://127.0.0.1:9',
  // Tests ask faster than anybody should.
  ALM_RATE_LIMIT: '0',
  ALM_TOKEN_RATE_LIMIT: '0',
  // The tests of a busy machine delay each other.
  ALM_MAX_LAG: '0',
  ...settings,
});

/** Settings that make the first start's credentials known. */
export const knownLogin: Environment = {
  ALM_CLIENT_ID: login.client_id,
  ALM_CLIENT_SECRET: login.client_secret,
  ALM_ROOT_PASSWORD: login.password,
};

/** An `almanac` of its own process. */
export class AlmanacProcess {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  private token: Promise<string> | undefined;

  constructor(place: TestPlace, args: readonly string[], settings: Environment = knownLogin) {
    this.process = place.start(() =>
      spawn(process.execPath, [program, ...args], {
        env: environmentFor(place, settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    this.process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = once(this.process, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Starts a server and waits until it serves. */
  static async serve(place: TestPlace, settings: Environment = knownLogin): Promise<AlmanacProcess> {
    const server = new AlmanacProcess(place, ['serve'], settings);
    await eventually(
      async () => server.stdout + server.stderr,
      () => server.stdout.includes('Almanac is serving at') || server.process.exitCode !== null,
    );
    if (server.process.exitCode !== null) throw new Error(`It does not start: ${server.stderr}`);
    return server;
  }

  get url(): string {
    return /serving at (http:\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.process.kill(signal);
    return this.ended;
  }

  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const token = request.token ?? (await this.userToken());
    return callHttp<Body>(method, this.url + path, { ...request, token });
  }

  /** Kept across servers: a token outlives the process that gave it. */
  useToken(token: Promise<string>): void {
    this.token = token;
  }

  userToken(credentials: typeof login = login): Promise<string> {
    this.token ??= callHttp('POST', `${this.url}/v3/access_token`, {
      json: { ...credentials, grant_type: 'password' },
    }).then((answer) => {
      if (answer.status !== 200) throw new Error(`No token was given: ${answer.text}`);
      return String(answer.body.access_token);
    });
    return this.token;
  }

  async applyTemplate(json: object): Promise<string> {
    const answer = await this.call('POST', '/v3/alm/template', { json });
    if (answer.status !== 201) throw new Error(`The template was not accepted: ${answer.text}`);
    return String(answer.body.stack_id);
  }

  waitFor(stackId: string, status: StackStatus): Promise<Json> {
    return eventually(
      async () => (await this.call('GET', `/v3/alm/stack/${stackId}`)).body,
      (stack) => stack.stack_status === status,
    );
  }
}

/** Runs a command to its end. */
export const runAlmanac = (
  place: TestPlace,
  args: readonly string[],
  settings: Environment = {},
): Promise<Ended> => new AlmanacProcess(place, args, settings).ended;
