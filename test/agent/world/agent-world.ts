import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppEngine } from '../../../src/agent/app-engine.ts';
import { type AgentLog, createAgentLog } from '../../../src/agent/log.ts';
import { openAgent } from '../../../src/agent/open-agent.ts';
import { parseSettings, type Settings } from '../../../src/agent/settings.ts';
import type { AgentState } from '../../../src/agent/state.ts';
import { realClock } from '../../../src/basics/clock.ts';
import type { Json, ServedAlmanac } from '../../api/served-almanac.ts';
import { callHttp, eventually } from '../../http.ts';

export type ContainerSection = Json;

export interface Report {
  of: string;
  status: string;
  message: string;
}

export const secrets = {
  registry: 'registry-password-31f7',
  environment: 'database-password-a9c2',
  addon: 'addon-key-77aa',
};

/** The template of a stack with one layer, with this container if any. */
const templateOf = (container: ContainerSection | undefined): Json => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web01',
      provision: { availability_zone: 'ap-northeast-1a' },
      ...(container ? { container } : {}),
    },
  ],
});

/** One instance with its agent and its stack. */
export class AgentWorld {
  readonly directory = mkdtempSync(join(tmpdir(), 'almanac-agent-'));
  readonly lines: string[] = [];
  readonly almanac: ServedAlmanac;
  readonly stackId: string;
  readonly settings: Settings;
  readonly #engine: AppEngine;
  #stop: AbortController | undefined;
  #run: Promise<void> = Promise.resolve();

  private constructor(almanac: ServedAlmanac, engine: AppEngine, stackId: string, settings: Json) {
    this.almanac = almanac;
    this.#engine = engine;
    this.stackId = stackId;
    this.settings = parseSettings(
      JSON.stringify({
        server: almanac.url,
        stackId,
        flag: 'web01',
        instanceId: 'i-0001',
        metadata: `file:${this.spotNotice}`,
        stateDirectory: join(this.directory, 'state'),
        readyFile: this.readyFile,
        pollSeconds: 0.05,
        spotPollSeconds: 0.05,
        spotGraceSeconds: 0.3,
        healthSeconds: 1,
        drainSeconds: 5,
        retrySeconds: 0.3,
        listenAddress: '127.0.0.1',
        ...settings,
      }),
    );
  }

  static async open(
    almanac: ServedAlmanac,
    engine: AppEngine,
    container: ContainerSection | undefined,
    settings: Json = {},
  ): Promise<AgentWorld> {
    const stackId = await almanac.applyTemplate(templateOf(container));
    const { auth_token: token } = await almanac.describe(stackId);
    return new AgentWorld(almanac, engine, stackId, { token, ...settings });
  }

  get spotNotice(): string {
    return join(this.directory, 'spot-notice');
  }

  get readyFile(): string {
    return join(this.directory, 'ready');
  }

  /** The revision in the ready file; null: no container; undefined: not ready. */
  get readyRevision(): number | null | undefined {
    if (!existsSync(this.readyFile)) return undefined;
    return (JSON.parse(readFileSync(this.readyFile, 'utf8')) as { revision: number | null }).revision;
  }

  get state(): AgentState {
    return JSON.parse(readFileSync(join(this.settings.stateDirectory, 'state.json'), 'utf8')) as AgentState;
  }

  get log(): AgentLog {
    return createAgentLog(realClock, (line) => void this.lines.push(line));
  }

  async startAgent(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const options = { clock: realClock, log: this.log, settings: this.settings, engine: this.#engine };
    const agent = await openAgent({ ...options, stop: stop.signal });
    this.#run = agent.run(stop.signal);
  }

  async once(): Promise<boolean> {
    const options = { clock: realClock, log: this.log, settings: this.settings, engine: this.#engine };
    return (await openAgent({ ...options, stop: new AbortController().signal })).once();
  }

  async stopAgent(): Promise<void> {
    this.#stop?.abort();
    await this.#run;
  }

  /** Stops everything. Returns the log lines that contain secrets. */
  async close(): Promise<string[]> {
    await this.stopAgent();
    rmSync(this.directory, { recursive: true, force: true });
    const hidden = [...Object.values(secrets), this.settings.token ?? '', 'alm_'].filter(Boolean);
    return this.lines.filter((line) => hidden.some((secret) => line.includes(secret)));
  }

  /** Updates the template of the stack. */
  async update(container: ContainerSection | undefined): Promise<void> {
    const token = await this.almanac.userToken();
    const json = templateOf(container);
    const response = await this.almanac.call('PUT', `/v3/alm/template/${this.stackId}`, { token, json });
    if (response.status >= 300) throw new Error(response.text);
  }

  /** The events of agents and containers, oldest first. */
  async reports(): Promise<Report[]> {
    const token = await this.almanac.userToken();
    const path = `/v3/alm/stack/${this.stackId}/events`;
    const { body } = await this.almanac.call<Json[]>('GET', path, { token });
    return body
      .filter(({ kind }) => kind === 'agent')
      .map(({ resource_type, status, message }) => ({
        of: String(resource_type),
        status: String(status),
        message: String(message),
      }));
  }

  statusesOf = async (of: 'Agent' | 'Container'): Promise<string[]> =>
    (await this.reports()).filter((report) => report.of === of).map(({ status }) => status);

  /** Waits until the agent's last report has this status. Returns its message. */
  agentSays = async (status: string): Promise<string> => {
    const reports = await eventually(
      async () => (await this.reports()).filter((report) => report.of === 'Agent'),
      (found) => found.at(-1)?.status === status,
    );
    return reports.at(-1)?.message ?? '';
  };

  ready = (): Promise<number | null | undefined> =>
    eventually(
      async () => this.readyRevision,
      (revision) => revision !== undefined,
    );

  /** Sends one request to a port of the instance. */
  get = <T = { revision: number; code: string }>(port: number, path = '/'): Promise<T> =>
    callHttp<T>('GET', `http://127.0.0.1:${port}${path}`).then(({ text }) => JSON.parse(text) as T);
}
