import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../basics/clock.ts';

/** A file that is there while the instance serves; whoever waits for the instance looks for it. */
export interface Readiness {
  /** `revision` null: there is nothing to run. */
  ready(revision: number | null): Promise<void>;
  notReady(): Promise<void>;
  /** The instance is going: not ready, and never again. */
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
