import { backOff } from '../basics/back-off.ts';
import type { Clock } from '../basics/clock.ts';
import { pause } from '../basics/pause.ts';
import { randomHex } from '../basics/random.ts';
import type { Metadata } from './cloud/metadata.ts';
import { watchForSpotNotice } from './cloud/spot.ts';
import type { Converger } from './deploy/converge.ts';
import type { Forwarder } from './deploy/forwarder.ts';
import type { Readiness } from './deploy/readiness.ts';
import { type AgentLog, reasonOf } from './log.ts';
import type { AlmanacService, ServedConfig } from './service/almanac-service.ts';
import type { Reporter } from './service/reporter.ts';
import type { Settings } from './settings.ts';
import type { StateDirectory } from './state.ts';
import { secretsOf } from './wanted.ts';

export interface AgentParts {
  clock: Clock;
  log: AgentLog;
  settings: Settings;
  metadata: Metadata;
  directory: StateDirectory;
  service: AlmanacService;
  reporter: Reporter;
  readiness: Readiness;
  forwarder: Forwarder;
  converger: Converger;
  /** Ends a deploy under way. */
  endWork: () => void;
}

/** An outage may last; asking seldom lets the service come back. */
const longestOutagePause = 300;
const stopTimeoutSeconds = 3;

/** A number from 0 to 1, so that many agents do not ask in the same moment. */
const chance = (): number => Number.parseInt(randomHex(6), 16) / 0xffffff;

/** Runs for as long as the instance does: asks what is wanted, brings it about, and tells how it went. */
export class Agent {
  readonly #parts: AgentParts;
  #config: ServedConfig | null | undefined;
  #outage = 0;
  #askAgainAt = 0;
  #engineTrouble = false;
  #isLeaving = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { clock, settings, reporter } = this.#parts;
    await this.#register();
    const watching = this.#watchForSpotNotice(stop);
    while (!stop.aborted) {
      if (!this.#isLeaving) await this.#pass();
      await reporter.flush();
      await pause(clock, settings.pollSeconds * 1000 * (0.9 + 0.2 * chance()), stop);
    }
    await watching;
    await this.#sayFarewell();
  }

  /** One pass. True: what is wanted runs. */
  async once(): Promise<boolean> {
    await this.#register();
    const isDone = await this.#pass();
    await this.#parts.reporter.flush();
    this.#parts.forwarder.close();
    return isDone && this.#outage === 0;
  }

  async #register(): Promise<void> {
    const { directory, log, readiness, reporter, settings } = this.#parts;
    log(`agent of stack ${settings.stackId}, layer ${settings.flag || '(only one)'}, started`);
    this.#config = await directory.readConfig();
    log.hide(this.#config ? secretsOf(this.#config) : []);
    await readiness.notReady();
    await reporter.container('starting');
    await reporter.agent('starting');
  }

  async #pass(): Promise<boolean> {
    const { clock, converger, log } = this.#parts;
    if (clock.now() >= this.#askAgainAt) await this.#refreshConfig();
    if (this.#config === undefined) return false;
    try {
      const isDone = await converger.pass(this.#config);
      this.#engineTrouble = false;
      return isDone;
    } catch (error) {
      if (!this.#engineTrouble) log(`the pass was broken off, it will be repeated: ${reasonOf(error)}`);
      this.#engineTrouble = true;
      return false;
    }
  }

  /** Where the service does not answer, what it said last goes on to hold. */
  async #refreshConfig(): Promise<void> {
    const { clock, log, service, settings, directory } = this.#parts;
    try {
      const served = await service.readConfig(settings.flag);
      log.hide(served ? secretsOf(served) : []);
      if (JSON.stringify(served) !== JSON.stringify(this.#config)) await directory.saveConfig(served);
      this.#config = served;
      if (this.#outage > 0) log('Almanac answers again');
      this.#outage = 0;
    } catch (error) {
      if (this.#outage === 0) log(`Almanac does not answer, going on with what is known: ${reasonOf(error)}`);
      const seconds = backOff(
        this.#outage,
        { first: settings.pollSeconds, max: longestOutagePause },
        chance(),
      );
      this.#askAgainAt = clock.now() + seconds * 1000;
      this.#outage += 1;
    }
  }

  async #watchForSpotNotice(stop: AbortSignal): Promise<void> {
    const { clock, log, metadata, reporter, settings } = this.#parts;
    if (settings.metadata === null) return;
    const tools = { clock, log, metadata, reporter, pollSeconds: settings.spotPollSeconds, signal: stop };
    await watchForSpotNotice(tools, () => this.#leave());
  }

  /** New work is not begun. Connections go on, and the balancer has a while to send no new ones. */
  #leave(): void {
    const { clock, endWork, forwarder, readiness, settings, log } = this.#parts;
    this.#isLeaving = true;
    endWork();
    readiness.retire().catch((error: unknown) => log(`the ready file stays: ${reasonOf(error)}`));
    clock.after(settings.spotGraceSeconds * 1000, () => {
      log('taking no more connections');
      forwarder.refuseNew();
    });
  }

  /** The application's container stays as it is: the next agent finds it again. */
  async #sayFarewell(): Promise<void> {
    const { clock, forwarder, log, readiness, reporter } = this.#parts;
    await readiness.notReady();
    await Promise.race([reporter.agent('stopped'), pause(clock, stopTimeoutSeconds * 1000)]);
    forwarder.close();
    log('agent stopped');
  }
}
