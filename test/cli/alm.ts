import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AlmanacProcess, type Ended, knownLogin, login } from '../e2e/almanac-process.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';

/** The program built by `npm run build`, or the one TEST_ALM names. */
export const almProgram = resolve(process.env.TEST_ALM ?? 'dist/cli/alm.cjs');

type Environment = Readonly<Record<string, string>>;

/** Credentials as `alm` reads them from the environment. */
export const signedIn: Environment = {
  ALM_CLIENT_ID: login.client_id,
  ALM_CLIENT_SECRET: login.client_secret,
  ALM_USERNAME: login.username,
  ALM_PASSWORD: login.password,
};

/** The same credentials as flags of `alm login`. */
export const loginFlags = Object.entries({
  '-i': login.client_id,
  '-s': login.client_secret,
  '-u': login.username,
  '-p': login.password,
}).flat();

export interface RunOptions {
  env?: Environment;
  input?: string;
}

/** A user of the built `alm`, with a separate home directory. */
export class AlmUser {
  readonly home = mkdtempSync(join(tmpdir(), 'alm-home-'));
  readonly #env: Environment;

  constructor(env: Environment = {}) {
    this.#env = env;
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      // Tests must not write to the credential store of this machine.
      ALM_CREDENTIAL_STORE: 'none',
      ...this.#env,
    };
  }

  async run(args: readonly string[], { env, input }: RunOptions = {}): Promise<Ended> {
    const child = spawn(process.execPath, [almProgram, ...args], {
      env: { ...this.environment, ...env },
      cwd: this.home,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, stderr };
  }

  /** Runs a command that must succeed. Returns its standard output as JSON. */
  async json<T = Record<string, unknown>>(args: readonly string[], options: RunOptions = {}): Promise<T> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`alm ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export interface Served {
  server: AlmanacProcess;
  place: TestPlace;
  /** The master user, signed in through the environment. */
  root: AlmUser;
  close(): Promise<void>;
}

/** Starts a real server in a separate process, with its master user. */
export async function serveForAlm(settings: Environment = {}): Promise<Served> {
  const place = await makeTestPlace();
  const server = await AlmanacProcess.serve(place, { ...knownLogin, ...settings });
  // With a token, commands do not sign in, which is slow on purpose.
  const root = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: await server.userToken() });
  return {
    server,
    place,
    root,
    close: async () => {
      await server.kill('SIGTERM');
      root.close();
      await place.remove();
    },
  };
}

export const firstStack = resolve('examples/first-stack.json');
