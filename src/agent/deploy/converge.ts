import { backOff } from '../../basics/back-off.ts';
import { type Deployment, parseDeployment } from '../deployment.ts';
import { reasonOf } from '../log.ts';
import type { ServedConfig } from '../service/almanac-service.ts';
import { applyUsers, type UserTools } from '../service/users.ts';
import { startCandidate } from './deploy.ts';
import { Serving, type ServingTools } from './serving.ts';

interface ConvergeTools extends ServingTools {
  users: UserTools;
}

const maxRetrySeconds = 600;

/** Deploys the configuration, pass by pass. */
export class Converger {
  readonly #tools: ConvergeTools;
  readonly #serving: Serving;
  #appliedUsers = '';

  constructor(tools: ConvergeTools) {
    this.#tools = tools;
    this.#serving = new Serving(tools);
  }

  /** Runs one pass. True: the desired revision is running. Throws only if the engine is unreachable. */
  async pass(config: ServedConfig | null, pagePorts: readonly number[]): Promise<boolean> {
    const { reporter, readiness, defaultPage } = this.#tools;
    const running = await this.#serving.find();
    if (config === null) {
      await this.#serving.stop();
      await defaultPage.serve(pagePorts);
      await readiness.ready(null);
      await reporter.agent('uptodate');
      return true;
    }
    const deployment = await this.#parse(config);
    if (!deployment) return false;
    await this.#applyUsers(deployment);
    if (running && running.revision >= deployment.revision) {
      await reporter.agent('uptodate');
      return true;
    }
    return this.#mayTry(deployment.revision) && this.#deploy(deployment);
  }

  retire = (): Promise<void> => this.#serving.retire();

  /** Reports an invalid configuration like a failed deploy. */
  async #parse(config: ServedConfig): Promise<Deployment | undefined> {
    try {
      return parseDeployment(config, this.#tools.instance);
    } catch (error) {
      await this.#tools.reporter.agent('error', reasonOf(error));
      return undefined;
    }
  }

  #mayTry(revision: number): boolean {
    const { failed } = this.#tools.store.state;
    return failed?.revision !== revision || this.#tools.clock.now() >= failed.tryAgainAt;
  }

  async #deploy(deployment: Deployment): Promise<boolean> {
    const { reporter, log, store } = this.#tools;
    log(`deploying revision ${deployment.revision}, image ${deployment.image}`);
    if (store.state.failed?.revision !== deployment.revision) {
      await reporter.container('updating');
      await reporter.agent('installing');
    }
    try {
      await this.#serving.switchTo(await startCandidate(this.#tools, deployment));
    } catch (error) {
      // It must not make a server without its application look healthy.
      await this.#tools.defaultPage.close();
      await this.#recordFailure(deployment, error);
      return false;
    }
    log(`revision ${deployment.revision} is serving`);
    await reporter.container('running');
    await this.#serving.retireOthers();
    await reporter.container('complete');
    await reporter.agent('uptodate');
    return true;
  }

  /** The reporter does not repeat a report, so a retry that fails in the same way is reported once. */
  async #recordFailure({ revision }: Deployment, error: unknown): Promise<void> {
    const { log, reporter, clock, signal, store, settings } = this.#tools;
    if (signal.aborted) return;
    const { failed, running } = store.state;
    const failures = failed?.revision === revision ? failed.failures : 0;
    const seconds = backOff(failures, { first: settings.retrySeconds, max: maxRetrySeconds });
    const fallback = running ? ` Revision ${running.revision} is still serving.` : '';
    const message = log.clean(`Deploy of revision ${revision} failed: ${reasonOf(error)}${fallback}`);
    log(`${message} Retrying in ${seconds} s.`);
    const tryAgainAt = clock.now() + seconds * 1000;
    await store.update({ failed: { revision, message, failures: failures + 1, tryAgainAt } });
    await reporter.container(running ? 'complete' : 'terminated');
    await reporter.agent('error', message);
  }

  async #applyUsers({ users: desired }: Deployment): Promise<void> {
    const { settings, log, store } = this.#tools;
    if (!settings.manageUsers || JSON.stringify(desired) === this.#appliedUsers) return;
    this.#appliedUsers = JSON.stringify(desired);
    const managed = await applyUsers({ ...this.#tools.users, log }, store.state.users, desired);
    if (managed.join() !== store.state.users.join()) await store.update({ users: managed });
  }
}
