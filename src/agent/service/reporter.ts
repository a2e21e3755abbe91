import { type AgentLog, reasonOf } from '../log.ts';
import type { AlmanacService } from './almanac-service.ts';

export type AgentStatus = 'starting' | 'installing' | 'uptodate' | 'error' | 'stopped' | 'spot_terminate';
export type ContainerStatus = 'starting' | 'updating' | 'restarting' | 'running' | 'terminated' | 'complete';

export interface Reporter {
  /** Says it once; what was said last is not said again. */
  agent(status: AgentStatus, message?: string): Promise<void>;
  container(status: ContainerStatus): Promise<void>;
  /** Says again what the service has not heard. Only the newest of each kind: it is the one that counts. */
  flush(): Promise<void>;
  /** Throws when the service did not hear it. */
  spotNotice(message: string): Promise<void>;
}

export interface ReporterOptions {
  service: Pick<AlmanacService, 'reportAgent' | 'reportContainer'>;
  log: AgentLog;
  agentId: string;
  instanceId: string;
}

/** The service keeps 2000 characters of a message. */
const longestMessage = 2000;

class Line {
  readonly #send: (status: string, message: string) => Promise<void>;
  #wanted = '';
  #heard = '';
  #next: [status: string, message: string] | undefined;

  constructor(send: (status: string, message: string) => Promise<void>) {
    this.#send = send;
  }

  async say(status: string, message: string): Promise<void> {
    this.#wanted = `${status} ${message}`;
    this.#next = [status, message];
    await this.flush();
  }

  async flush(): Promise<void> {
    const saying = this.#wanted;
    if (!this.#next || saying === this.#heard) return;
    await this.#send(...this.#next);
    this.#heard = saying;
  }
}

export function createReporter({ service, log, agentId, instanceId }: ReporterOptions): Reporter {
  const who = { agent_id: agentId, instance_id: instanceId };
  const tellAgent = (status: string, message: string) =>
    service.reportAgent({ ...who, status, ...(message === '' ? {} : { message }) });
  const agent = new Line(tellAgent);
  const container = new Line((status) =>
    service.reportContainer({ ...who, container_id: instanceId, status }),
  );
  let heard = true;
  // A report that is lost must not stop the work it is about; the next flush repeats it.
  const tolerate = async (saying: Promise<void>): Promise<void> => {
    try {
      await saying;
      heard = true;
    } catch (error) {
      if (heard) log(`a report was not heard, it will be repeated: ${reasonOf(error)}`);
      heard = false;
    }
  };
  return {
    agent: (status, message = '') => tolerate(agent.say(status, log.clean(message).slice(0, longestMessage))),
    container: (status) => tolerate(container.say(status, '')),
    flush: () => tolerate(Promise.all([agent.flush(), container.flush()]).then(() => undefined)),
    spotNotice: (message) => tellAgent('spot_terminate', log.clean(message).slice(0, longestMessage)),
  };
}
