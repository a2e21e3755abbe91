import { backOff } from '../../basics/back-off.ts';
import { reasonOf } from '../log.ts';
import type { ServedConfig } from '../service/almanac-service.ts';
import { applyUsers, type UserTools } from '../service/users.ts';
import { type Wanted, wantedFrom } from '../wanted.ts';
import { startCandidate } from './deploy.ts';
import { Serving, type ServingTools } from './serving.ts';

export interface ConvergeTools extends ServingTools {
  users: UserTools;
}

const longestRetrySeconds = 600;

/** Brings what runs on the instance to what the configuration says, pass by pass. */
export class Converger {
  readonly #tools: ConvergeTools;
  readonly #serving: Serving;
  #usersSet = '';

  constructor(tools: ConvergeTools) {
    this.#tools = tools;
    this.#serving = new Serving(tools);
  }

  /** One pass. True: what is wanted runs. Throws only when the engine cannot be asked. */
  async pass(config: ServedConfig | null): Promise<boolean> {
    const { reporter, readiness } = this.#tools;
    const serving = await this.#serving.find();
    if (config === null) {
      await this.#serving.end();
      await readiness.ready(null);
      await reporter.agent('uptodate');
      return true;
    }
    const wanted = await this.#understand(config);
    if (!wanted) return false;
    await this.#setUsers(wanted);
    if (serving && serving.revision >= wanted.revision) {
      await reporter.agent('uptodate');
      return true;
    }
    return this.#mayTry(wanted.revision) && this.#deploy(wanted);
  }

  /** A configuration that nobody could run is reported like a deploy that failed. */
  async #understand(config: ServedConfig): Promise<Wanted | undefined> {
    try {
      return wantedFrom(config, this.#tools.place);
    } catch (error) {
      await this.#tools.reporter.agent('error', reasonOf(error));
      return undefined;
    }
  }

  #mayTry(revision: number): boolean {
    const { failed } = this.#tools.memory.state;
    return failed?.revision !== revision || this.#tools.clock.now() >= failed.tryAgainAt;
  }

  async #deploy(wanted: Wanted): Promise<boolean> {
    const { reporter, log, memory } = this.#tools;
    log(`deploying revision ${wanted.revision}, image ${wanted.image}`);
    if (memory.state.failed?.revision !== wanted.revision) {
      await reporter.container('updating');
      await reporter.agent('installing');
    }
    try {
      await this.#serving.switchTo(await startCandidate(this.#tools, wanted));
    } catch (error) {
      await this.#noteFailure(wanted, error);
      return false;
    }
    log(`revision ${wanted.revision} serves`);
    await reporter.container('running');
    await this.#serving.retireOthers();
    await reporter.container('complete');
    await reporter.agent('uptodate');
    return true;
  }

  /** Reported when it happens first. Tries of the same revision that fail in the same way say nothing new. */
  async #noteFailure({ revision }: Wanted, error: unknown): Promise<void> {
    const { log, reporter, clock, signal, memory, settings } = this.#tools;
    if (signal.aborted) return;
    const { failed, running } = memory.state;
    const before = failed?.revision === revision ? failed.failures : 0;
    const seconds = backOff(before, { first: settings.retrySeconds, max: longestRetrySeconds });
    const kept = running ? ` Revision ${running.revision} goes on serving.` : '';
    const message = log.clean(`Revision ${revision} was not deployed: ${reasonOf(error)}${kept}`);
    log(`${message} Next try in ${seconds} s.`);
    const tryAgainAt = clock.now() + seconds * 1000;
    await memory.remember({ failed: { revision, message, failures: before + 1, tryAgainAt } });
    await reporter.container(running ? 'complete' : 'terminated');
    await reporter.agent('error', message);
  }

  async #setUsers({ users }: Wanted): Promise<void> {
    const { settings, log, memory } = this.#tools;
    if (!settings.manageUsers || JSON.stringify(users) === this.#usersSet) return;
    this.#usersSet = JSON.stringify(users);
    const managed = await applyUsers(this.#tools.users, log, memory.state.users, users);
    if (managed.join() !== memory.state.users.join()) await memory.remember({ users: managed });
  }
}
