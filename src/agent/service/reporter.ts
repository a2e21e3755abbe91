import { type AgentLog, reasonOf } from '../log.ts';
import type { AlmanacService } from './almanac-service.ts';

type AgentStatus = 'starting' | 'installing' | 'uptodate' | 'error' | 'stopped';
type ContainerStatus = 'starting' | 'updating' | 'restarting' | 'running' | 'terminated' | 'complete';

export interface Reporter {
  /** Does not repeat the last report. */
  agent(status: AgentStatus, message?: string): Promise<void>;
  container(status: ContainerStatus): Promise<void>;
  /** Resends reports that failed. Only the latest of each kind: it replaces the earlier ones. */
  flush(): Promise<void>;
  /** Throws if the report fails. */
  spotNotice(message: string): Promise<void>;
}

interface ReporterOptions {
  service: Pick<AlmanacService, 'reportAgent' | 'reportContainer'>;
  log: AgentLog;
  agentId: string;
  instanceId: string;
}

/** Limit of the service. */
const maxMessageLength = 2000;

type Send = (status: string, message: string) => Promise<void>;

/** Sends the latest status until it is delivered. */
class StatusQueue {
  readonly #send: Send;
  #latest: { status: string; message: string } | undefined;
  #delivered = '';

  constructor(send: Send) {
    this.#send = send;
  }

  async report(status: string, message: string): Promise<void> {
    this.#latest = { status, message };
    await this.flush();
  }

  async flush(): Promise<void> {
    if (!this.#latest) return;
    const { status, message } = this.#latest;
    const key = `${status} ${message}`;
    if (key === this.#delivered) return;
    await this.#send(status, message);
    this.#delivered = key;
  }
}

export function createReporter({ service, log, agentId, instanceId }: ReporterOptions): Reporter {
  const ids = { agent_id: agentId, instance_id: instanceId };
  const abilities = { sends_logs: true };
  const sendAgentStatus: Send = (status, message) =>
    service.reportAgent({ ...ids, ...abilities, status, ...(message === '' ? {} : { message }) });
  const agent = new StatusQueue(sendAgentStatus);
  const container = new StatusQueue((status) =>
    service.reportContainer({ ...ids, container_id: instanceId, status }),
  );
  const toMessage = (text: string): string => log.clean(text).slice(0, maxMessageLength);
  let isDelivered = true;
  // A failed report must not stop the work that it describes. The next flush resends it.
  const tolerateFailure = async (sending: Promise<void>): Promise<void> => {
    try {
      await sending;
      isDelivered = true;
    } catch (error) {
      if (isDelivered) log(`cannot send a report, retrying: ${reasonOf(error)}`);
      isDelivered = false;
    }
  };
  return {
    agent: (status, message = '') => tolerateFailure(agent.report(status, toMessage(message))),
    container: (status) => tolerateFailure(container.report(status, '')),
    flush: () => tolerateFailure(Promise.all([agent.flush(), container.flush()]).then(() => undefined)),
    spotNotice: (message) => sendAgentStatus('spot_terminate', toMessage(message)),
  };
}
