import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServedConfig } from './service/almanac-service.ts';

export interface Running {
  containerId: string;
  name: string;
  revision: number;
  image: string;
  ports: readonly number[];
  /** Milliseconds since 1970. */
  since: number;
  /** When its last run that served began. Another run means that it exited. Agents of earlier releases did not record it. */
  startedAt?: number | null;
}

/** Why the container that took over does not serve now. */
export interface Fault {
  since: number;
  reason: string;
  lastLines: string;
}

/** The last deploy that failed. The previous container keeps serving. */
export interface FailedDeploy {
  revision: number;
  message: string;
  definite?: boolean;
  lastLines?: string;
  failures: number;
  /** Milliseconds since 1970. */
  tryAgainAt: number;
}

/** The last report that was sent, and why it did not arrive. */
export interface SentReport {
  status: string;
  at: number;
  failure: string | null;
}

/** State that survives a restart of the agent. */
export interface AgentState {
  agentId: string;
  running: Running | null;
  fault: Fault | null;
  failed: FailedDeploy | null;
  report: SentReport | null;
  /** Login users that the agent created. */
  users: readonly string[];
}

export interface StateDirectory {
  readState(): Promise<{ state: AgentState; isNew: boolean }>;
  saveState(state: AgentState): Promise<void>;
  /** The last known configuration; null: the layer has no container; undefined: unknown. */
  readConfig(): Promise<ServedConfig | null | undefined>;
  saveConfig(config: ServedConfig | null): Promise<void>;
}

/** The agent's state, written to disk on every update. */
export interface StateStore {
  readonly state: AgentState;
  /** There was no state on disk: a new agent, or the directory was deleted. */
  readonly isNew: boolean;
  update(change: Partial<AgentState>): Promise<void>;
}

/** Writes atomically and only for the owner: the content has secrets. */
export async function writePrivately(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

/** Undefined for a missing or damaged file: its whole content can be determined again. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export function openStateDirectory(directory: string): StateDirectory {
  const statePath = join(directory, 'state.json');
  const configPath = join(directory, 'config.json');
  return {
    async readState() {
      const saved = (await readJson(statePath)) as Partial<AgentState> | undefined;
      const nothing = { running: null, fault: null, failed: null, report: null, users: [] };
      const initial: AgentState = { agentId: randomUUID(), ...nothing };
      return { state: { ...initial, ...saved }, isNew: saved === undefined };
    },
    saveState: (state) => writePrivately(statePath, JSON.stringify(state, null, 2)),
    async readConfig() {
      return (await readJson(configPath)) as ServedConfig | null | undefined;
    },
    saveConfig: (config) => writePrivately(configPath, JSON.stringify(config)),
  };
}

export async function openStateStore(directory: StateDirectory): Promise<StateStore> {
  const { state, isNew } = await directory.readState();
  // Reports are recorded during a pass: two writes at a time would break each other.
  let lastSave: Promise<void> = Promise.resolve();
  const store = {
    state,
    isNew,
    async update(change: Partial<AgentState>) {
      store.state = { ...store.state, ...change };
      const save = lastSave.then(() => directory.saveState(store.state));
      lastSave = save.catch(() => undefined);
      await save;
    },
  };
  await store.update({});
  return store;
}
