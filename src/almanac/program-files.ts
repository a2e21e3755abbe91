import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installScript } from '../agent/service/install-script.ts';
import { Failure } from '../basics/failure.ts';
import type { AgentFiles } from '../server/shared/agent-files.ts';

/** Build output of `src/agent` and `src/cli`, also when this file runs from the sources. */
const built = join(import.meta.dirname, '..', '..', 'dist');
const program = join(built, 'agent', 'alm-agent.mjs');

/** Program of the threads that process documents. */
export const documentWorker = join(built, 'operations', 'documents', 'worker.js');

/** Program of the thread that watches the event loop. */
export const watchdogThread = join(built, 'almanac', 'watchdog', 'thread.js');

/** The web console. */
export const consoleFolder = join(built, 'console');

export interface AgentProgram {
  bundle: Buffer;
  sha256: string;
}

/** Null: not built. */
export async function readAgentProgram(): Promise<AgentProgram | null> {
  const bundle = await readFile(program).catch(() => null);
  return bundle && { bundle, sha256: createHash('sha256').update(bundle).digest('hex') };
}

const needAgentProgram = async (): Promise<AgentProgram> => {
  const found = await readAgentProgram();
  if (found) return found;
  throw new Failure('not_found', 'The agent is not built', { description: 'Run npm run build.' });
};

export const readCommandLine = (): Promise<Buffer> =>
  readFile(join(built, 'cli', 'alm.cjs')).catch(() => {
    throw new Failure('not_found', 'The command line is not built', {
      description: 'Run npm run build.',
    });
  });

export const agentFiles = (baseUrl: () => string): AgentFiles => ({
  script: async () => installScript(baseUrl(), (await needAgentProgram()).sha256),
  program: async () => (await needAgentProgram()).bundle,
});
