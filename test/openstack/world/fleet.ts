import { isDeepStrictEqual } from 'node:util';
import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import { expireLeases } from '../../e2e/behind-the-servers.ts';
import { type Answer, eventually, type Json } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import type { Front } from './front.ts';
import { rig } from './rig.ts';

export interface FleetStack {
  number: number;
  /** Without servers, a stack is a network with a router. */
  servers: number;
  stackId: string;
}

const templateOf = ({ number, servers }: FleetStack, cred: string) => ({
  version: '2017-03-03',
  label: `${servers} servers`,
  description: '',
  nickname: `stack ${number}`,
  vendor: { openstack: { cred, region: rig.region } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: servers,
        keypair: false,
        subnet: { cidr: '10.0.0.0/24', public: false },
      },
    },
  ],
});

/** Without any change for so long, stacks are stuck: longer than Almanac waits for an engine of Heat that was killed. */
const stuckMs = 1_200_000;
/** Reading more often would take the processor from the rig. */
const pauseMs = 2_000;
/** Neutron of the rig has one process: with many more stacks at a time, it does not answer in time. */
const atOnce = 6;

/** The cloud did not answer while a request was checked. Nothing was changed. */
class VendorTrouble extends Error {}

const isTemporary = (error: unknown): boolean => error instanceof TypeError || error instanceof VendorTrouble;

/** Fails unless the answer has one of these statuses. */
function requireStatus<Body>(answer: Answer<Body>, ...statuses: readonly number[]): Answer<Body> {
  if (statuses.includes(answer.status)) return answer;
  throw answer.status === 502 ? new VendorTrouble(answer.text) : new Error(answer.text);
}

/** The real server as a separate process, with a way to kill it at the worst moment. */
export class Fleet {
  readonly #place: TestPlace;
  readonly #front: Front;
  readonly #cred: string;
  server!: AlmanacProcess;
  /** Resolves when the server is up; no requests are sent while it restarts. */
  #up: Promise<void> = Promise.resolve();
  kills = 0;

  constructor(place: TestPlace, front: Front, cred: string) {
    this.#place = place;
    this.#front = front;
    this.#cred = cred;
  }

  #serve = (): Promise<AlmanacProcess> =>
    AlmanacProcess.serve(this.#place, {
      ...knownLogin,
      ALM_OPENSTACK_AUTH_URLS: this.#front.url,
      ALM_OPENSTACK_POLL_SECONDS: '4',
    });

  async start(): Promise<void> {
    this.server = await this.#serve();
    const credentials = {
      OpenStackAccessKeyId: this.#cred,
      OpenStackSecretAccessKey: rig.password,
      OpenStackAccountName: 'rig',
    };
    const json = { vendor: 'openstack', credentials };
    const answer = await this.server.call('POST', '/v3/credentials', { json });
    if (answer.status >= 300) throw new Error(answer.text);
  }

  /** Sends SIGKILL when Heat has done the nth of these requests, before Almanac gets the answer. */
  killAt(method: string, counts: readonly number[]): void {
    let seen = 0;
    this.#front.onDone = async (done) => {
      if (done !== method) return;
      seen += 1;
      if (counts.includes(seen)) await this.#killAndRestart();
    };
  }

  /** Resolves when the server is killed. */
  #killAndRestart(): Promise<unknown> {
    this.kills += 1;
    const killed = this.#up.then(() => this.server.kill('SIGKILL'));
    this.#up = killed.then(async () => {
      const token = this.server.userToken();
      await expireLeases(this.#place);
      this.server = await this.#serve();
      this.server.useToken(token);
    });
    return killed;
  }

  /** Runs the job for each stack, when not too many are in progress, and retries jobs interrupted by a crash. */
  async forEach(stacks: readonly FleetStack[], job: (stack: FleetStack) => Promise<void>): Promise<void> {
    for (const stack of stacks) {
      await eventually(this.#countInProgress, (count) => count < atOnce, stuckMs / 1000);
      await this.#retry(stack, job);
    }
  }

  #countInProgress = async (): Promise<number> => {
    const found = await this.#statuses().catch(() => undefined);
    if (!found) return Infinity;
    const busy = Object.entries(found).filter(([status]) => status.endsWith('_IN_PROGRESS'));
    return busy.reduce((sum, [, count]) => sum + count, 0);
  };

  async #retry(stack: FleetStack, job: (stack: FleetStack) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#up;
      try {
        return await job(stack);
      } catch (error) {
        if (attempt === 20 || !isTemporary(error)) throw error;
        await eventually(this.#isHealthy, Boolean);
      }
    }
  }

  #isHealthy = (): Promise<boolean> =>
    fetch(`${this.server.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Finds the stack by nickname, because a crash may hide whether it was created. */
  create = async (stack: FleetStack): Promise<void> => {
    const path = `/v3/alm/stack?nickname=${encodeURIComponent(`stack ${stack.number}`)}`;
    const [known] = (await this.server.call<Json[]>('GET', path)).body;
    const json = templateOf(stack, this.#cred);
    const made = async () =>
      requireStatus(await this.server.call('POST', '/v3/alm/template', { json }), 201).body;
    stack.stackId = String((known ?? (await made()))['stack_id']);
  };

  update = async (stack: FleetStack): Promise<void> => {
    const json = templateOf(stack, this.#cred);
    requireStatus(await this.server.call('PUT', `/v3/alm/template/${stack.stackId}`, { json }), 202);
  };

  /** When retried after a crash, the stack may already be gone. */
  remove = async ({ stackId }: FleetStack): Promise<void> => {
    requireStatus(await this.server.call('DELETE', `/v3/alm/stack/${stackId}`), 200, 404);
  };

  /** Waits until the server shows this number of stacks in each status. */
  async waitUntil(expected: Readonly<Record<string, number>>): Promise<void> {
    let last = '';
    let changedAt = Date.now();
    for (;;) {
      const found = await this.#statuses().catch(() => 'no response');
      if (isDeepStrictEqual(found, expected)) return;
      const text = JSON.stringify(found);
      if (text !== last) changedAt = Date.now();
      last = text;
      if (text.includes('_FAILED') || Date.now() > changedAt + stuckMs)
        throw new Error(`Not ${JSON.stringify(expected)}: ${text}\n${await this.#reasons()}`);
    }
  }

  /** For the error message. */
  async #reasons(): Promise<string> {
    const { body } = await this.server.call<Json[]>('GET', '/v3/alm/stack');
    const rest = body.filter(({ stack_status: status }) => !String(status).endsWith('_COMPLETE'));
    return rest
      .map((stack) => [stack['stack_id'], stack['stack_status'], stack['stack_status_reason']].join(' '))
      .join('\n');
  }

  async #statuses(): Promise<Record<string, number>> {
    await this.#up;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { body } = requireStatus(await this.server.call<Json[]>('GET', '/v3/alm/stack'), 200);
    const counts: Record<string, number> = {};
    for (const stack of body) {
      const status = String(stack['stack_status']);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
}
