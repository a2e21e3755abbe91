import type { Readable } from 'node:stream';
import type { Clock } from '../basics/clock.ts';
import { connect, encodePath } from '../docker-engine/connection.ts';
import { openEngine } from '../docker-engine/engine.ts';
import type { Engine } from '../docker-engine/types.ts';

/** The engine, with two calls that only the agent needs. */
export interface AppEngine extends Engine {
  /** Unpacks a tar archive at the container's root. The container need not be started. */
  putArchive(container: string, archive: Readable): Promise<void>;
  /** Whether the image was pulled from a registry. False for an image built on this machine. */
  isFromRegistry(image: string): Promise<boolean>;
}

/** Enough for a large archive on a busy disk. */
const archiveIdleTimeoutMs = 600_000;

export function openAppEngine(socketPath: string, clock: Clock): AppEngine {
  const connection = connect(socketPath);
  return {
    ...openEngine({ socketPath, clock }),
    async putArchive(container, archive) {
      const path = `/containers/${encodePath(container)}/archive`;
      const query = { path: '/' };
      await connection.status({ method: 'PUT', path, query, archive, idleTimeoutMs: archiveIdleTimeoutMs });
    },
    async isFromRegistry(image) {
      const path = `/images/${encodePath(image)}/json`;
      const { RepoDigests } = await connection.json<{ RepoDigests?: string[] | null }>({
        method: 'GET',
        path,
      });
      return (RepoDigests ?? []).length > 0;
    },
  };
}
