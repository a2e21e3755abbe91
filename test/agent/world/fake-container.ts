import { createServer, type Server } from 'node:http';
import type {
  Container,
  ContainerDetails,
  ContainerLogLine,
  ContainerSpec,
  FileToPut,
} from '../../../src/docker-engine/container-types.ts';

export interface FakeContainer {
  id: string;
  spec: ContainerSpec;
  address: string;
  state: Container['state'];
  restarts: number;
  archive: Buffer;
  files: readonly FileToPut[];
  servers: Server[];
  startedAt: number | null;
  lines: ContainerLogLine[];
  /** Called with every new line, and with null when it stops. */
  readers: Set<(line: ContainerLogLine | null) => void>;
  health: ContainerDetails['health'];
}

/** Responds with its revision and code; `/slow` after half a second. */
export async function serve(container: FakeContainer, port: number): Promise<Server> {
  const body = () =>
    JSON.stringify({
      revision: Number(container.spec.labels?.['almanac.revision']),
      code: container.archive.toString('latin1'),
    });
  const server = createServer((request, reply) => {
    reply.setHeader('connection', 'close');
    setTimeout(() => reply.end(body()), request.url === '/slow' ? 500 : 0);
  });
  await new Promise<void>((done) => server.listen(port, container.address, done));
  return server;
}

export const details = ({
  id,
  spec,
  address,
  state,
  restarts,
  startedAt,
  health,
}: FakeContainer): ContainerDetails => ({
  id,
  name: spec.name,
  image: spec.image,
  imageId: spec.image,
  labels: spec.labels ?? {},
  state,
  createdAt: startedAt ?? 0,
  networks: [{ network: 'fake', address: state === 'running' ? address : '' }],
  ports: [],
  environment: spec.environment ?? {},
  exitCode: state === 'restarting' ? 1 : null,
  outOfMemory: false,
  error: '',
  startedAt,
  finishedAt: null,
  restartCount: restarts,
  health,
  mounts: [],
});
