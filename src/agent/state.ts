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

/** A deploy that did not work; the last good one goes on. */
export interface FailedDeploy {
  revision: number;
  message: string;
  failures: number;
  /** Milliseconds since 1970. */
  tryAgainAt: number;
}

/** What the agent remembers over a restart. */
export interface State {
  agentId: string;
  running: Running | null;
  failed: FailedDeploy | null;
  /** Login users that the agent made. */
  users: readonly string[];
}

export interface StateDirectory {
  readState(): Promise<{ state: State; isNew: boolean }>;
  saveState(state: State): Promise<void>;
  /** The configuration last served; null: none has a container; undefined: none is known. */
  readConfig(): Promise<ServedConfig | null | undefined>;
  saveConfig(config: ServedConfig | null): Promise<void>;
}

/** Whole or not at all, and for root's eyes only: there are secrets in it. */
export async function writePrivately(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

/** A file that is not there or was damaged counts as nothing: everything in it can be found out again. */
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
      const known = (await readJson(statePath)) as Partial<State> | undefined;
      const fresh: State = { agentId: randomUUID(), running: null, failed: null, users: [] };
      return { state: { ...fresh, ...known }, isNew: known === undefined };
    },
    saveState: (state) => writePrivately(statePath, JSON.stringify(state, null, 2)),
    async readConfig() {
      return (await readJson(configPath)) as ServedConfig | null | undefined;
    },
    saveConfig: (config) => writePrivately(configPath, JSON.stringify(config)),
  };
}
