import { backOff } from '../basics/back-off.ts';
import type { Clock } from '../basics/clock.ts';
import { pause } from '../basics/pause.ts';
import { randomHex } from '../basics/random.ts';
import type { AwsAccess } from './cloud/aws.ts';
import type { Metadata } from './cloud/metadata.ts';
import { watchForSpotNotice } from './cloud/spot.ts';
import { watchForTermination } from './cloud/termination.ts';
import type { Converger } from './deploy/converge.ts';
import type { DefaultPage } from './deploy/default-page.ts';
import type { Forwarder } from './deploy/forwarder.ts';
import type { Readiness } from './deploy/readiness.ts';
import { secretsOf } from './deployment.ts';
import { type AgentLog, reasonOf } from './log.ts';
import type { AlmanacService, ServedConfig } from './service/almanac-service.ts';
import type { Reporter } from './service/reporter.ts';
import type { Settings } from './settings.ts';
import type { StateDirectory } from './state.ts';

interface AgentParts {
  clock: Clock;
  log: AgentLog;
  settings: Settings;
  metadata: Metadata;
  aws: AwsAccess;
  directory: StateDirectory;
  service: AlmanacService;
  reporter: Reporter;
  readiness: Readiness;
  forwarder: Forwarder;
  defaultPage: DefaultPage;
  converger: Converger;
  /** Aborts a deploy in progress. */
  abortDeploy: () => void;
}

/** How often to look for a report that has to be repeated: a pass may take long. */
const flushSeconds = 10;
/** Polling slows down to this in a long outage, so that the service can recover. */
const maxOutageRetrySeconds = 300;
const stopTimeoutSeconds = 3;

/** A random number from 0 to 1: jitter that keeps agents from polling at the same time. */
const randomFraction = (): number => Number.parseInt(randomHex(6), 16) / 0xffffff;

/** The main loop: reads the configuration, applies it and reports the result. */
export class Agent {
  readonly #parts: AgentParts;
  #config: ServedConfig | null | undefined;
  #pagePorts: readonly number[] = [];
  #failedReads = 0;
  #nextReadAt = 0;
  #hasPassFailed = false;
  #isDraining = false;
  #lastPass: Promise<boolean> = Promise.resolve(false);

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { clock, settings, reporter } = this.#parts;
    await this.#register();
    const watching = this.#watchCloud(stop);
    const flushing = this.#keepFlushing(stop);
    while (!stop.aborted) {
      if (!this.#isDraining) await (this.#lastPass = this.#pass());
      await reporter.flush();
      await pause(clock, settings.pollSeconds * 1000 * (0.9 + 0.2 * randomFraction()), stop);
    }
    await watching;
    await this.#shutDown(flushing);
  }

  async #keepFlushing(stop: AbortSignal): Promise<void> {
    const { clock, reporter } = this.#parts;
    while (!stop.aborted) {
      await pause(clock, flushSeconds * 1000, stop);
      await reporter.flush();
    }
  }

  /** Runs one pass. True: the desired revision is running. */
  async once(): Promise<boolean> {
    await this.#register();
    const isDone = await this.#pass();
    await this.#parts.reporter.flush();
    this.#parts.forwarder.close();
    await this.#parts.defaultPage.close();
    return isDone && this.#failedReads === 0;
  }

  async #register(): Promise<void> {
    const { directory, log, readiness, reporter, settings } = this.#parts;
    log(`agent started: stack ${settings.stackId}, layer ${settings.flag || '(only one)'}`);
    this.#config = await directory.readConfig();
    log.hide(this.#config ? secretsOf(this.#config) : []);
    await readiness.notReady();
    await reporter.container('starting');
    await reporter.agent('starting');
  }

  async #pass(): Promise<boolean> {
    const { clock, converger, log, reporter } = this.#parts;
    if (clock.now() >= this.#nextReadAt) await this.#refreshConfig();
    const config = this.#config;
    if (config === undefined) return false;
    try {
      const refresh = async () => {
        if (clock.now() >= this.#nextReadAt) await this.#refreshConfig();
        return this.#config ?? null;
      };
      const isDone = await converger.pass({ config, pagePorts: this.#pagePorts, refresh });
      this.#hasPassFailed = false;
      return isDone;
    } catch (error) {
      // Once is a moment without the engine. What was serving is still forwarded to.
      if (this.#hasPassFailed) await reporter.agent('error', { message: reasonOf(error), definite: false });
      else log(`pass failed, retrying: ${reasonOf(error)}`);
      this.#hasPassFailed = true;
      return false;
    }
  }

  /** Keeps the last known configuration while the service is unreachable. */
  async #refreshConfig(): Promise<void> {
    const { clock, log, service, settings, directory } = this.#parts;
    try {
      const served = await service.readConfig(settings.flag);
      this.#pagePorts = served ? [] : await service.readDefaultPagePorts(settings.flag);
      log.hide(served ? secretsOf(served) : []);
      if (JSON.stringify(served) !== JSON.stringify(this.#config)) await directory.saveConfig(served);
      this.#config = served;
      if (this.#failedReads > 0) log('reconnected to Almanac');
      this.#failedReads = 0;
    } catch (error) {
      if (this.#failedReads === 0)
        log(`cannot reach Almanac, using the last known configuration: ${reasonOf(error)}`);
      const delays = { first: settings.pollSeconds, max: maxOutageRetrySeconds };
      this.#nextReadAt = clock.now() + backOff(this.#failedReads, delays, randomFraction()) * 1000;
      this.#failedReads += 1;
    }
  }

  async #watchCloud(stop: AbortSignal): Promise<void> {
    const { clock, log, metadata, aws, reporter, settings } = this.#parts;
    const { stackId, spotPollSeconds: pollSeconds } = settings;
    if (settings.metadata === null) return;
    const tools = { clock, log, metadata, aws, reporter, stackId, pollSeconds, signal: stop };
    await Promise.all([
      watchForSpotNotice(tools, () => this.#drain()),
      watchForTermination(tools, () => this.#leave(stop)),
    ]);
  }

  /** Finishes the work of this instance. New connections are accepted until load balancers have noticed. */
  async #leave(stop: AbortSignal): Promise<void> {
    const { clock, converger, settings } = this.#parts;
    this.#drain();
    await pause(clock, settings.spotGraceSeconds * 1000, stop);
    await this.#lastPass;
    await converger.retire();
  }

  /** Starts no new deploy. Open connections stay; new ones are refused after the grace period. */
  #drain(): void {
    const { clock, abortDeploy, forwarder, defaultPage, readiness, settings, log } = this.#parts;
    if (this.#isDraining) return;
    this.#isDraining = true;
    abortDeploy();
    readiness.retire().catch((error: unknown) => log(`cannot remove the ready file: ${reasonOf(error)}`));
    clock.after(settings.spotGraceSeconds * 1000, () => {
      log('refusing new connections');
      forwarder.refuseNew();
      void defaultPage.close();
    });
  }

  /** Leaves the application's container running: the next agent adopts it. */
  async #shutDown(flushing: Promise<void>): Promise<void> {
    const { clock, forwarder, defaultPage, log, readiness, reporter } = this.#parts;
    await readiness.notReady();
    const stopped = Promise.all([reporter.agent('stopped'), flushing]);
    await Promise.race([stopped, pause(clock, stopTimeoutSeconds * 1000)]);
    forwarder.close();
    await defaultPage.close();
    log('agent stopped');
  }
}
