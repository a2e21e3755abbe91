import type { Clock } from '../../basics/clock.ts';
import type { InstanceIdentity } from '../deployment.ts';
import { type AgentLog, reasonOf } from '../log.ts';
import type { SentReport, StateStore } from '../state.ts';
import type { AlmanacService } from './almanac-service.ts';

type AgentStatus = 'starting' | 'installing' | 'uptodate' | 'error' | 'stopped';
type ContainerStatus = 'starting' | 'updating' | 'restarting' | 'running' | 'terminated' | 'complete';

/** What the instance should run and what it serves, at the time of a report. */
export interface Application {
  /** Undefined: not known yet, or the layer has no container. */
  revision: number | undefined;
  /** Null: nothing serves. */
  serving: { revision: number; image: string; digest: string } | null;
}

interface ReportDetails {
  message?: string;
  definite?: boolean;
  lastLines?: string;
}

export interface Reporter {
  /** Repeats the last report only as a heartbeat. */
  agent(status: AgentStatus, details?: ReportDetails): Promise<void>;
  container(status: ContainerStatus): Promise<void>;
  /** Resends reports that failed, and the last one as a heartbeat. Only the latest of each kind: it replaces the earlier ones. */
  flush(): Promise<void>;
  /** Throws if the report fails. No later report replaces it while the agent runs. */
  spotNotice(message: string): Promise<void>;
}

interface ReporterOptions {
  clock: Clock;
  service: Pick<AlmanacService, 'reportAgent' | 'reportContainer'>;
  log: AgentLog;
  store: Pick<StateStore, 'state' | 'update'>;
  instance: InstanceIdentity;
  application: () => Application;
}

type AgentBody = Parameters<AlmanacService['reportAgent']>[0];
type ContainerBody = Parameters<AlmanacService['reportContainer']>[0];

/** Limit of the service. */
const maxMessageLength = 2000;
/** The service takes an agent that is silent for three times as long as lost. */
const repeatSeconds = 60;

/** Sends the latest report until it is delivered, and again after `repeatMs`. */
class ReportQueue<Body> {
  readonly #clock: Clock;
  readonly #send: (body: Body) => Promise<void>;
  readonly #repeatMs: number;
  #latest: Body | undefined;
  #delivered = { key: '', at: 0 };
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(clock: Clock, send: (body: Body) => Promise<void>, repeatMs: number) {
    this.#clock = clock;
    this.#send = send;
    this.#repeatMs = repeatMs;
  }

  async report(body: Body): Promise<void> {
    this.#latest = body;
    await this.flush();
  }

  /** One at a time: an older report must not arrive after a newer one. */
  async flush(): Promise<void> {
    const flush = this.#lastFlush.then(() => this.#sendLatest());
    this.#lastFlush = flush.catch(() => undefined);
    await flush;
  }

  async #sendLatest(): Promise<void> {
    if (this.#latest === undefined) return;
    const body = this.#latest;
    const key = JSON.stringify(body);
    const { key: delivered, at } = this.#delivered;
    if (key === delivered && this.#clock.now() - at < this.#repeatMs) return;
    await this.#send(body);
    this.#delivered = { key, at: this.#clock.now() };
  }
}

/** While the agent is stopped, it holds no ports: nothing serves. */
const toMembers = ({ revision, serving }: Application, log: AgentLog, status: string) => {
  if (revision === undefined) return {};
  if (serving === null || status === 'stopped') return { revision, serving_revision: 0 };
  const { image, digest } = serving;
  return { revision, serving_revision: serving.revision, image: log.clean(image), digest };
};

const bodyMaker =
  ({ log, store, instance: { instanceId, flag }, application }: ReporterOptions) =>
  (status: string, { message = '', definite, lastLines }: ReportDetails): AgentBody => ({
    agent_id: store.state.agentId,
    instance_id: instanceId,
    ...(flag === '' ? {} : { flag }),
    sends_logs: true,
    every: repeatSeconds,
    ...toMembers(application(), log, status),
    status,
    ...(message === '' ? {} : { message: log.clean(message).slice(0, maxMessageLength) }),
    ...(definite === undefined ? {} : { definite }),
    ...(lastLines ? { last_lines: log.clean(lastLines) } : {}),
  });

/** Sends a report and records the outcome for `alm-agent status`. */
function agentSender({ clock, service, log, store }: ReporterOptions): (body: AgentBody) => Promise<void> {
  // A full disk must not stop the reports.
  const record = (report: SentReport) => store.update({ report }).catch(() => undefined);
  return async (body) => {
    const outcome = { status: body.status, at: clock.now() };
    try {
      await service.reportAgent(body);
    } catch (error) {
      await record({ ...outcome, failure: log.clean(reasonOf(error)) });
      throw error;
    }
    await record({ ...outcome, failure: null });
  };
}

export function createReporter(options: ReporterOptions): Reporter {
  const { clock, service, log, store } = options;
  const { instanceId } = options.instance;
  const toBody = bodyMaker(options);
  const agent = new ReportQueue(clock, agentSender(options), repeatSeconds * 1000);
  const sendContainer = (body: ContainerBody) => service.reportContainer(body);
  const container = new ReportQueue(clock, sendContainer, Infinity);
  const tolerateFailure = toleratingFailure(log);
  let isReclaimed = false;
  return {
    async agent(status, details = {}) {
      if (isReclaimed && status !== 'stopped') return;
      await tolerateFailure(agent.report(toBody(status, details)));
    },
    container: (status) =>
      tolerateFailure(
        container.report({
          agent_id: store.state.agentId,
          instance_id: instanceId,
          container_id: instanceId,
          status,
        }),
      ),
    flush: () => tolerateFailure(Promise.all([agent.flush(), container.flush()]).then(() => undefined)),
    spotNotice(message) {
      isReclaimed = true;
      return agent.report(toBody('spot_terminate', { message }));
    },
  };
}

/** A failed report must not stop the work that it describes. The next flush resends it. */
function toleratingFailure(log: AgentLog): (sending: Promise<void>) => Promise<void> {
  let isDelivered = true;
  return async (sending) => {
    try {
      await sending;
      isDelivered = true;
    } catch (error) {
      if (isDelivered) log(`cannot send a report, retrying: ${reasonOf(error)}`);
      isDelivered = false;
    }
  };
}
