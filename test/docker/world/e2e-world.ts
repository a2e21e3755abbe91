import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import type { Engine } from '../../../src/docker-engine/types.ts';
import type { StackStatus } from '../../../src/model/status.ts';
import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import { eventually, type Json } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import { testEngine, testSocket } from './engine-world.ts';

/** The machine's bridge address, which containers of the engine can reach. */
export const bridgeAddress = (): string => {
  // Node does not list an interface without a carrier.
  const bridge = execFileSync('ip', ['-4', '-o', 'address', 'show', 'docker0'], { encoding: 'utf8' });
  return /inet ([\d.]+)/.exec(bridge)?.[1] ?? '';
};

/** With the default rate limits. */
export const dockerSettings = {
  ...knownLogin,
  ALM_DOCKER_SOCKET: testSocket(),
  ALM_RATE_LIMIT: '100',
  ALM_TOKEN_RATE_LIMIT: '10',
};

export interface SiteOptions {
  image: string;
  login: { username: string; password: string };
  repository: string;
  reference: string;
  min: number;
  max: number;
}

/** The architecture that v2 calls art_elb: a group behind a balancer, with a database and a cache. */
export const balanced = ({ image, login, repository, reference, min, max }: SiteOptions) => ({
  version: '2017-03-03',
  vendor: { docker: { cred: 'local', region: 'local', secret: 'none' } },
  configurations: [
    {
      role: 'web',
      flag: 'web',
      provision: {
        availability_zone: 'local',
        keypair: true,
        // The load of the tests must not change the number of instances.
        auto_scaling: { min, max, spot_range: 50, scaling: false },
        load_balancer: {
          listeners: [{ load_balancer_port: 80, protocol: 'HTTP', instance_port: 8080 }],
          health_check: {
            target: 'HTTP:8080/',
            interval: 2,
            timeout: 1,
            healthy_threshold: 2,
            unhealthy_threshold: 2,
          },
        },
        rds: { engine: 'postgresql', db_instance_type: 'db.small', storage: 5, replica: 1 },
        elasticache: { engine: 'redis', node_type: 'cache.small', nodes: 2 },
      },
      container: {
        container_image: image,
        container_registry_username: login.username,
        container_registry_password: login.password,
        container_git_repo: repository,
        container_git_reference: reference,
        container_code_dir: '/srv/app',
        container_ports: [8080],
        container_env_vars: { PORT: '8080' },
      },
    },
  ],
});

/** A server process, and the stack under test. */
export class DockerStack {
  readonly engine: Engine = testEngine();
  readonly place: TestPlace;
  server: AlmanacProcess;
  id = '';

  constructor(place: TestPlace, server: AlmanacProcess) {
    this.place = place;
    this.server = server;
  }

  /** Kills the server and starts another one. */
  async restartServer(): Promise<void> {
    const token = this.server.userToken();
    await token;
    await this.server.kill('SIGKILL');
    this.server = await AlmanacProcess.serve(this.place, dockerSettings);
    this.server.useToken(token);
  }

  async update(json: object): Promise<void> {
    const answer = await this.server.call('PUT', `/v3/alm/template/${this.id}`, { json });
    if (answer.status !== 202) throw new Error(answer.text);
  }

  async waitFor(status: StackStatus): Promise<Json> {
    try {
      return await this.server.waitFor(this.id, status);
    } catch (cause) {
      const events = await this.server.call<Json[]>('GET', `/v3/alm/stack/${this.id}/events`);
      const lines = events.body.slice(-30).map((event) => JSON.stringify(event));
      throw new Error(`The stack is not ${status}. Its last events:\n${lines.join('\n')}`, { cause });
    }
  }

  async describe(): Promise<Json> {
    return (await this.server.call('GET', `/v3/alm/stack/${this.id}`)).body;
  }

  async runningInstances(): Promise<Json[]> {
    const { instances } = await this.describe();
    return (instances as Json[]).filter(({ State }) => (State as Json)['Name'] === 'running');
  }

  withInstances(count: number): Promise<Json[]> {
    return eventually(
      () => this.runningInstances(),
      (instances) => instances.length === count,
    );
  }

  async address(): Promise<string> {
    const { stack_outputs: outputs } = await this.describe();
    const found = (outputs as Json[]).find(({ OutputKey }) => OutputKey === 'Address');
    return typeof found?.['OutputValue'] === 'string' ? found['OutputValue'] : '';
  }

  /** The number of resources the engine has of the stack. */
  async leftovers(): Promise<number> {
    const label = { 'almanac.stack': this.id };
    const { containers, networks, volumes } = this.engine;
    const found = await Promise.all([containers.list(label), networks.list(label), volumes.list(label)]);
    return found.flat().length;
  }
}

/** Fetches a page over a new connection. Returns errors as text. */
export const fetchPage = (address: string, path = '/'): Promise<string> =>
  new Promise((done) => {
    const call = request(`http://${address}${path}`, { agent: false, timeout: 5000 }, (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
      reply.on('end', () => done(reply.statusCode === 200 ? text : `status ${reply.statusCode}`));
      reply.on('error', (error) => done(`error ${error.message}`));
    });
    call.on('timeout', () => call.destroy(new Error('timed out')));
    call.on('error', (error) => done(`error ${error.message}`));
    call.end();
  });

/** Requests the page repeatedly until it is stopped. Counts the responses. */
export function generateLoad(address: string, callers: number) {
  const seen = new Map<string, number>();
  let stopped = false;
  const call = async () => {
    while (!stopped) {
      const page = await fetchPage(address);
      seen.set(page, (seen.get(page) ?? 0) + 1);
    }
  };
  const all = Array.from({ length: callers }, call);
  return async () => {
    stopped = true;
    await Promise.all(all);
    return seen;
  };
}
