import type { IncomingHttpHeaders } from 'node:http';
import type { Static } from 'typebox';
import type { Clock } from '../../basics/clock.ts';
import { CallFailed, type CallInput, type Client, createClient } from '../../contract/client.ts';
import type { BodyOf, Route, SuccessOf } from '../../contract/route.ts';
import {
  readAgentConfig,
  readDefaultPage,
  reportAgentStatus,
  reportContainerStatus,
} from '../../contract/v3/agents.ts';
import { listLogRequests, sendLogs } from '../../contract/v3/logs.ts';
import type { agentConfig } from '../../contract/v3/schemas/agent.ts';
import { issueToken } from '../../contract/v3/sign-in/access.ts';
import { http } from '../http.ts';
import type { AgentLog } from '../log.ts';

export type ServedConfig = Static<typeof agentConfig>;

interface ServiceOptions {
  clock: Clock;
  log: AgentLog;
  /** `https://…` or `unix:/path`. */
  server: string;
  stackId: string;
  readToken: () => Promise<string>;
  /** Called when the service says that someone waits for logs. */
  onLogsWanted?: () => void;
}

const statusesWithoutBody = new Set([204, 205, 304]);

const logsHeader = 'alm-logs';

const wantedHeaders = ({ [logsHeader]: logs }: IncomingHttpHeaders): Record<string, string> =>
  typeof logs === 'string' ? { [logsHeader]: logs } : {};

/** A `fetch` for the API client that supports unix sockets. */
const fetchThrough = (clock: Clock, socketPath: string | undefined) =>
  (async (input: string, init: RequestInit = {}): Promise<Response> => {
    const { status, headers, body } = await http(clock, input, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : undefined,
      socketPath,
      signal: init.signal ?? undefined,
    });
    const text = statusesWithoutBody.has(status) ? null : body.toString('utf8');
    return new Response(text, { status, headers: wantedHeaders(headers) });
  }) as typeof globalThis.fetch;

export type AskedLogs = SuccessOf<typeof listLogRequests>['requests'][number];
export type SentLogs = BodyOf<typeof sendLogs>;

interface Exchanged<R extends Route> {
  headers: Headers;
  body: SuccessOf<R>;
}

/** The Almanac API for agents. Signs in as the stack; again before the token expires and on status 401. */
export class AlmanacService {
  readonly #options: ServiceOptions;
  readonly #client: Client;
  #token = '';
  #renewAt = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { clock, server } = options;
    const socketPath = server.startsWith('unix:') ? server.slice('unix:'.length) : undefined;
    this.#client = createClient({
      url: socketPath === undefined ? server : 'http://almanac',
      token: () => this.#token,
      fetch: fetchThrough(clock, socketPath),
    });
  }

  /** Null: the layer has no container. */
  async readConfig(flag: string): Promise<ServedConfig | null> {
    const query = { stack_id: this.#options.stackId, flag };
    const { body, headers } = await this.#exchange(readAgentConfig, { query });
    if (headers.get(logsHeader) === 'wanted') this.#options.onLogsWanted?.();
    return body;
  }

  /** Waits for a change of the requests if they are those that are known. */
  async listLogRequests(
    instanceId: string,
    known: readonly string[],
    signal: AbortSignal,
  ): Promise<SuccessOf<typeof listLogRequests>> {
    const query = { stack_id: this.#options.stackId, instance_id: instanceId, known: known.join() };
    return this.#call(listLogRequests, { query, signal });
  }

  /** False: nobody waits for them any more. */
  async sendLogs(message: Omit<SentLogs, 'stack_id'>, signal: AbortSignal): Promise<boolean> {
    const body = { ...message, stack_id: this.#options.stackId };
    return (await this.#call(sendLogs, { body, signal })).wanted;
  }

  /** The ports of the default page. A service of an earlier release has none. */
  async readDefaultPagePorts(flag: string): Promise<readonly number[]> {
    try {
      const query = { stack_id: this.#options.stackId, flag };
      return (await this.#call(readDefaultPage, { query })).ports;
    } catch (error) {
      if (error instanceof CallFailed && error.status === 404) return [];
      throw error;
    }
  }

  async reportAgent(report: Omit<AgentReport, 'stack_id'>): Promise<void> {
    await this.#call(reportAgentStatus, { body: { ...report, stack_id: this.#options.stackId } });
  }

  async reportContainer(report: Omit<ContainerReport, 'stack_id'>): Promise<void> {
    await this.#call(reportContainerStatus, { body: { ...report, stack_id: this.#options.stackId } });
  }

  async #call<R extends Route>(route: R, input: CallInput<R>): Promise<SuccessOf<R>> {
    return (await this.#exchange(route, input)).body;
  }

  async #exchange<R extends Route>(route: R, input: CallInput<R>): Promise<Exchanged<R>> {
    // The type of the arguments depends on the route, which is generic here.
    const client = this.#client as { exchange(route: R, input: CallInput<R>): Promise<Exchanged<R>> };
    if (this.#options.clock.now() >= this.#renewAt) await this.#signIn();
    try {
      return await client.exchange(route, input);
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status !== 401) throw error;
      await this.#signIn();
      return client.exchange(route, input);
    }
  }

  async #signIn(): Promise<void> {
    const { clock, log, stackId, readToken } = this.#options;
    const secret = await readToken();
    log.hide([secret]);
    const body = { grant_type: 'client_credentials', client_id: stackId, client_secret: secret };
    const { access_token, expires_in } = await this.#client.call(issueToken, { body });
    log.hide([access_token]);
    this.#token = access_token;
    this.#renewAt = clock.now() + expires_in * 800;
  }
}

type AgentReport = Static<typeof reportAgentStatus.body>;
type ContainerReport = Static<typeof reportContainerStatus.body>;
