import type { Readable } from 'node:stream';
import type { Clock } from '../basics/clock.ts';
import { connect, encodePath } from '../docker-engine/connection.ts';
import { openEngine } from '../docker-engine/engine.ts';
import type { Engine } from '../docker-engine/types.ts';

/** The engine, with the two questions only an agent has. */
export interface AppEngine extends Engine {
  /** Unpacks a tar archive at the container's root, also before its first start. */
  putArchive(container: string, archive: Readable): Promise<void>;
  /** Whether the image came from a registry. One made on the machine itself did not. */
  isFromRegistry(image: string): Promise<boolean>;
}

/** A large archive on a busy disk. */
const longestSilenceMs = 600_000;

export function openAppEngine(socketPath: string, clock: Clock): AppEngine {
  const connection = connect(socketPath);
  return {
    ...openEngine({ socketPath, clock }),
    async putArchive(container, archive) {
      const path = `/containers/${encodePath(container)}/archive`;
      const query = { path: '/' };
      await connection.status({ method: 'PUT', path, query, archive, idleTimeoutMs: longestSilenceMs });
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
