import { backOff } from '../../basics/back-off.ts';
import { pause } from '../../basics/pause.ts';
import { type Deployment, parseDeployment } from '../deployment.ts';
import { DeployFailure, isDefinite } from '../failure.ts';
import { reasonOf } from '../log.ts';
import type { ServedConfig } from '../service/almanac-service.ts';
import type { Application } from '../service/reporter.ts';
import { applyUsers, type UserTools } from '../service/users.ts';
import type { FailedDeploy } from '../state.ts';
import { startCandidate } from './deploy.ts';
import { Serving, type ServingTools } from './serving.ts';

interface ConvergeTools extends ServingTools {
  users: UserTools;
}

export interface Wanted {
  /** Null: the layer has no container. */
  config: ServedConfig | null;
  /** Of the page that is served without a container. */
  pagePorts: readonly number[];
  /** Reads the configuration again: a newer one ends a deploy that still waits for its container. */
  refresh: () => Promise<ServedConfig | null>;
}

const maxRetrySeconds = 600;

/** Messages of engines and programs have no full stop. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Deploys the configuration, pass by pass. */
export class Converger {
  readonly #tools: ConvergeTools;
  readonly #serving: Serving;
  #revision: number | undefined;
  #appliedUsers = '';

  constructor(tools: ConvergeTools) {
    this.#tools = tools;
    this.#serving = new Serving(tools);
  }

  get application(): Application {
    return { revision: this.#revision, serving: this.#serving.served };
  }

  /** Runs one pass. True: the desired revision is serving. Throws only if the engine is unreachable. */
  async pass({ config, pagePorts, refresh }: Wanted): Promise<boolean> {
    const { reporter, readiness, defaultPage } = this.#tools;
    this.#revision = config?.container_updated;
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
    if (running && running.revision >= deployment.revision) return this.#reportServing();
    const { failed } = this.#tools.store.state;
    if (failed?.revision !== deployment.revision || this.#tools.clock.now() >= failed.tryAgainAt)
      return this.#deploy(deployment, refresh);
    await this.#reportFailure(failed);
    return false;
  }

  async retire(): Promise<void> {
    await this.#serving.retire();
    await this.#tools.reporter.agent('stopped');
  }

  /** Reports an invalid configuration like a failed deploy. */
  async #parse(config: ServedConfig): Promise<Deployment | undefined> {
    try {
      return parseDeployment(config, this.#tools.instance);
    } catch (error) {
      await this.#reportFailure({ message: reasonOf(error), definite: isDefinite(error) });
      return undefined;
    }
  }

  async #reportServing(): Promise<boolean> {
    const { reporter, store } = this.#tools;
    const { fault } = store.state;
    if (!fault) await reporter.agent('uptodate');
    else
      await reporter.agent('error', { message: fault.reason, definite: false, lastLines: fault.lastLines });
    return !fault;
  }

  async #deploy(deployment: Deployment, refresh: Wanted['refresh']): Promise<boolean> {
    const { reporter, log, store } = this.#tools;
    const newer = new AbortController();
    log(`deploying revision ${deployment.revision}, image ${deployment.image}`);
    const { failed } = store.state;
    const isRetry = failed?.revision === deployment.revision;
    const report = () => (isRetry ? this.#reportFailure(failed) : reporter.agent('installing'));
    const reportAndRefresh = async () => {
      await report();
      if ((await refresh())?.container_updated !== deployment.revision) newer.abort();
    };
    if (!isRetry) await reporter.container('updating');
    await report();
    try {
      const signal = AbortSignal.any([this.#tools.signal, newer.signal]);
      const starting = startCandidate({ ...this.#tools, signal }, deployment);
      await this.#serving.switchTo(await this.#watchDuring(starting, reportAndRefresh));
    } catch (error) {
      if (newer.signal.aborted) {
        log(`revision ${deployment.revision} is not deployed: there is a newer one`);
        return false;
      }
      // It must not make a server without its application look healthy.
      await this.#tools.defaultPage.close();
      await this.#recordFailure(deployment, error);
      return false;
    }
    log(`revision ${deployment.revision} is serving`);
    // Now, not after the old container has finished: those who wait for the revision have it.
    await reporter.agent('uptodate');
    await reporter.container('running');
    await this.#watchDuring(this.#serving.retireOthers(), () => this.#reportServing());
    if (!store.state.fault) await reporter.container('complete');
    return true;
  }

  /** A pull, and the end of the old container, may take minutes: what serves is looked after in the meantime. */
  async #watchDuring<T>(work: Promise<T>, report: () => Promise<unknown>): Promise<T> {
    const { clock, settings } = this.#tools;
    const over = new AbortController();
    const end = () => over.abort();
    work.then(end, end);
    for (;;) {
      await pause(clock, settings.pollSeconds * 1000, over.signal);
      if (over.signal.aborted) return work;
      // An engine that does not respond ends the work, too.
      await this.#serving.look().then(report, () => undefined);
    }
  }

  async #recordFailure({ revision }: Deployment, error: unknown): Promise<void> {
    const { log, reporter, clock, signal, store, settings } = this.#tools;
    if (signal.aborted) return;
    const { failed: before, running } = store.state;
    const failures = before?.revision === revision ? before.failures : 0;
    const seconds = backOff(failures, { first: settings.retrySeconds, max: maxRetrySeconds });
    const message = log.clean(reasonOf(error));
    log(`deploy of revision ${revision} failed: ${asSentence(message)} Retrying in ${seconds} s.`);
    const tryAgainAt = clock.now() + seconds * 1000;
    const lastLines = error instanceof DeployFailure ? error.lastLines : '';
    const definite = isDefinite(error);
    const failed = { revision, message, definite, lastLines, failures: failures + 1, tryAgainAt };
    await store.update({ failed });
    await reporter.container(running ? 'complete' : 'terminated');
    await this.#reportFailure(failed);
  }

  /** Says what serves instead, at the time of the report. */
  async #reportFailure({
    message,
    definite,
    lastLines,
  }: Pick<FailedDeploy, 'message' | 'definite' | 'lastLines'>): Promise<void> {
    const { reporter, store } = this.#tools;
    const { running, fault } = store.state;
    const rest = fault ? `does not serve either: ${fault.reason}` : 'is still serving.';
    await reporter.agent('error', {
      message: running ? `${asSentence(message)} Revision ${running.revision} ${rest}` : message,
      ...(definite === undefined ? {} : { definite }),
      ...(lastLines === undefined ? {} : { lastLines }),
    });
  }

  async #applyUsers({ users: desired }: Deployment): Promise<void> {
    const { settings, log, store } = this.#tools;
    if (!settings.manageUsers || JSON.stringify(desired) === this.#appliedUsers) return;
    this.#appliedUsers = JSON.stringify(desired);
    const managed = await applyUsers({ ...this.#tools.users, log }, store.state.users, desired);
    if (managed.join() !== store.state.users.join()) await store.update({ users: managed });
  }
}
