import { backOff } from '../../basics/back-off.ts';
import type { Clock } from '../../basics/clock.ts';
import type { ContainerDetails } from '../../docker-engine/container-types.ts';
import type { Engine } from '../../docker-engine/types.ts';
import type { AgentLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Fault, Running } from '../state.ts';
import { closedPort, describeExit, unhealthy } from './health.ts';
import { lastLinesOf } from './last-lines.ts';

interface WatchTools {
  clock: Clock;
  engine: Engine;
  log: AgentLog;
  settings: Pick<Settings, 'network' | 'healthSeconds'>;
}

/** So long a container must stay up after its first fault; twice as long after each further one. */
const firstStableSeconds = 10;

/**
 * Notices when the container that took over no longer serves. One that fails again and again must not alternate between up
 * and down: it is up again only after it has stayed up for a while, at most for its health time.
 */
export class Watch {
  readonly #tools: WatchTools;
  #faults = 0;
  #goodSince: number | undefined;

  constructor(tools: WatchTools) {
    this.#tools = tools;
  }

  /** Why the container does not serve; null: it does. `fault` is the last result. The reason of a fault stays its first one. */
  async look(running: Running, details: ContainerDetails, fault: Fault | null): Promise<Fault | null> {
    const { clock, engine, log } = this.#tools;
    const isSameRun = running.startedAt === undefined || running.startedAt === details.startedAt;
    const symptom = await this.#symptomOf(running, details);
    if (isSameRun && symptom === undefined) return this.#isStable() ? null : fault;
    // One that exited counts when it runs again.
    if (details.state === 'running' && (!isSameRun || fault === null)) this.#faults += 1;
    this.#goodSince = symptom === undefined ? clock.now() : undefined;
    if (fault) return fault;
    const lastLines = await lastLinesOf(engine, log, running.containerId);
    // What is closed or not checked yet in a new run is a consequence of the exit.
    const reason = isSameRun && symptom !== undefined ? symptom : describeExit(details);
    return { since: clock.now(), reason, lastLines };
  }

  async #symptomOf({ ports }: Running, details: ContainerDetails): Promise<string | undefined> {
    const { clock, settings } = this.#tools;
    if (details.state !== 'running') return describeExit(details);
    if (details.health === 'unhealthy') return unhealthy;
    if (details.health === 'starting') return 'The health check of the image has not passed yet.';
    const port = await closedPort({ clock, network: settings.network, ports }, details);
    return port === undefined ? undefined : `The container does not accept connections on port ${port}.`;
  }

  #isStable(): boolean {
    const { clock, settings } = this.#tools;
    const max = settings.healthSeconds;
    const upSeconds = (clock.now() - (this.#goodSince ??= clock.now())) / 1000;
    const isStable = upSeconds >= backOff(Math.max(0, this.#faults - 1), { first: firstStableSeconds, max });
    if (upSeconds >= max) this.#faults = 0;
    return isStable;
  }
}
