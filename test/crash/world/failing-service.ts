import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import type { OwnPostgres } from '../../e2e/own-postgres.ts';
import type { Answer, Json, Request } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import type { Failure, PlannedFailure } from './plan.ts';

const settings = { ...knownLogin, ALM_SANDBOX_SPEED: '0.05' };

/** The server as its own process, and the failures it meets. */
export class FailingService {
  readonly #place: TestPlace;
  readonly #postgres: OwnPostgres | undefined;
  readonly #failures: Iterator<PlannedFailure, never>;
  #next: PlannedFailure;
  #answers = 0;
  #isCalm = false;
  #token: Promise<string>;
  server: AlmanacProcess;
  /** Settles when the last failure is over and the server is up. */
  #up: Promise<void> = Promise.resolve();
  readonly met = new Map<Failure, number>();

  private constructor(
    place: TestPlace,
    server: AlmanacProcess,
    options: { postgres?: OwnPostgres; failures: Iterator<PlannedFailure, never> },
  ) {
    this.#place = place;
    this.#postgres = options.postgres;
    this.#failures = options.failures;
    this.#next = this.#failures.next().value;
    this.server = server;
    this.#token = server.userToken();
  }

  static async start(
    place: TestPlace,
    options: { postgres?: OwnPostgres; failures: Iterator<PlannedFailure, never> },
  ): Promise<FailingService> {
    const service = new FailingService(place, await AlmanacProcess.serve(place, settings), options);
    await service.#token;
    return service;
  }

  /** Repeats the request until the service answers it: a lost connection and 503 leave open whether it was done. */
  async ask(method: string, path: string, request: Request): Promise<Answer<Json>> {
    for (;;) {
      await this.#up;
      const answer = await this.server.call(method, path, request).catch(onlyLostConnections);
      if (answer && answer.status !== 503) {
        this.#answered();
        return answer;
      }
      // A turn for the failure that cut the request off.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #answered(): void {
    this.#answers += 1;
    if (this.#isCalm || this.#answers < this.#next.answers) return;
    const { kind, delayMs } = this.#next;
    this.#answers = 0;
    this.#next = this.#failures.next().value;
    setTimeout(() => {
      this.#up = this.#up.then(() => this.#meet(kind));
    }, delayMs);
  }

  async #meet(kind: Failure): Promise<void> {
    if (this.#isCalm) return;
    this.met.set(kind, (this.met.get(kind) ?? 0) + 1);
    if (kind === 'kill') return this.#killAndRestart();
    if (kind === 'close connections') return this.#postgres?.terminateBackends();
    this.#postgres?.stop(kind === 'crash database' ? 'immediate' : 'fast');
    this.#postgres?.startAgain();
  }

  async #killAndRestart(): Promise<void> {
    await this.server.kill('SIGKILL');
    this.server = await AlmanacProcess.serve(this.#place, settings);
    this.server.useToken(this.#token);
  }

  /** No more failures. */
  async calm(): Promise<void> {
    this.#isCalm = true;
    await this.#up;
  }
}

/** `fetch` throws a TypeError for a lost connection. */
function onlyLostConnections(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
