import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../basics/clock.ts';

/** The ready file. It exists while the instance serves; installers and health checks wait for it. */
export interface Readiness {
  /** `revision` null: the layer has no container. */
  ready(revision: number | null): Promise<void>;
  notReady(): Promise<void>;
  /** The instance is being reclaimed: not ready, permanently. */
  retire(): Promise<void>;
}

export function openReadiness(clock: Clock, path: string): Readiness {
  let written: number | null | undefined;
  let retired = false;
  const notReady = async () => {
    written = undefined;
    await rm(path, { force: true });
  };
  return {
    notReady,
    async ready(revision) {
      if (retired || written === revision) return;
      await mkdir(dirname(path), { recursive: true });
      const content = { revision, at: new Date(clock.now()).toISOString() };
      await writeFile(`${path}.new`, `${JSON.stringify(content)}\n`);
      await rename(`${path}.new`, path);
      written = revision;
    },
    async retire() {
      retired = true;
      await notReady();
    },
  };
}
