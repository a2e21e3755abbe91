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
}

/** The last deploy that failed. The previous container keeps serving. */
interface FailedDeploy {
  revision: number;
  message: string;
  failures: number;
  /** Milliseconds since 1970. */
  tryAgainAt: number;
}

/** State that survives a restart of the agent. */
export interface AgentState {
  agentId: string;
  running: Running | null;
  failed: FailedDeploy | null;
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
      const initial: AgentState = { agentId: randomUUID(), running: null, failed: null, users: [] };
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
  const store = {
    state,
    isNew,
    async update(change: Partial<AgentState>) {
      store.state = { ...store.state, ...change };
      await directory.saveState(store.state);
    },
  };
  await store.update({});
  return store;
}
