import { eventually, type Json } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import { AlmanacProcess, knownLogin } from '../almanac-process.ts';
import { expireLeases } from '../behind-the-servers.ts';

/** A credential in a region: the unit of rate limits and of polling. */
export interface Bucket {
  cred: string;
  region: string;
}

export interface FleetStack {
  number: number;
  bucket: Bucket;
  stackId: string;
}

/** The cloud of a fleet: a simulator, and how to reach it. */
export interface FleetCloud {
  vendor: string;
  instanceType: string;
  /** Settings of the server that lead to the simulator. */
  settings: Readonly<Record<string, string>>;
  credential(id: string): object;
  /** The zone of the servers. */
  zone(region: string): string;
  /** Calls the listener before each call of the server reaches the simulator. */
  listen(listener: (operation: string) => void): void;
}

const listeners = [{ load_balancer_port: 80, protocol: 'HTTP', instance_port: 80 }];

/** Every tenth stack has its servers in a group behind a load balancer. */
function templateOf(cloud: FleetCloud, { number, bucket }: FleetStack, servers: number): object {
  const provision =
    number % 10 === 9
      ? { auto_scaling: { min: servers, max: 4 }, load_balancer: { listeners } }
      : { instance_count: servers };
  const server = {
    image: '${computed}',
    instance_type: cloud.instanceType,
    availability_zone: cloud.zone(bucket.region),
    // Creating keys is the slowest operation of moto.
    keypair: number % 5 === 0,
  };
  return {
    version: '2017-03-03',
    label: `${servers} servers`,
    description: '',
    nickname: `stack ${number}`,
    vendor: { [cloud.vendor]: bucket },
    configurations: [{ role: 'web', flag: 'web0', provision: { ...server, ...provision } }],
  };
}

/** Without any change for so long, stacks are stuck, however slow the machine is. */
const stuckMs = 300_000;

/** Concurrent jobs, as in a user's script. */
const concurrency = 8;

/** `fetch` throws a TypeError for a lost connection. A busy machine may not let the server reach the simulator in time. */
const mayRetry = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.message.includes('"vendor_trouble"'));

/** The real server as a separate process, with a proxy before the cloud, and a way to kill it at the worst moment. */
export class Fleet {
  readonly #place: TestPlace;
  readonly #cloud: FleetCloud;
  readonly #settings: Readonly<Record<string, string>>;
  server!: AlmanacProcess;
  /** Resolves when the server is up; no requests are sent while it restarts. */
  #up: Promise<void> = Promise.resolve();
  kills = 0;

  constructor(place: TestPlace, cloud: FleetCloud) {
    this.#place = place;
    this.#cloud = cloud;
    this.#settings = { ...knownLogin, ALM_BASE_URL: 'https://almanac.example', ...cloud.settings };
  }

  async start(): Promise<void> {
    this.server = await AlmanacProcess.serve(this.#place, this.#settings);
    await this.server.userToken();
  }

  async saveCredential(id: string): Promise<void> {
    const credentials = this.#cloud.credential(id);
    const path = `/v3/credentials/${this.#cloud.vendor}`;
    const answer = await this.server.call('POST', path, { json: { credentials } });
    if (answer.status >= 300) throw new Error(answer.text);
  }

  /** Sends SIGKILL when the nth of these calls has reached the cloud, before the response. */
  killAt(operation: string, counts: readonly number[]): void {
    let seen = 0;
    this.#cloud.listen((called) => {
      if (called !== operation) return;
      seen += 1;
      if (counts.includes(seen)) this.#killAndRestart();
    });
  }

  #killAndRestart(): void {
    this.kills += 1;
    this.#up = this.#up.then(async () => {
      const token = this.server.userToken();
      await this.server.kill('SIGKILL');
      await expireLeases(this.#place);
      this.server = await AlmanacProcess.serve(this.#place, this.#settings);
      this.server.useToken(token);
    });
  }

  /** Runs the job for each stack, and retries jobs interrupted by a crash. */
  async forEach(stacks: readonly FleetStack[], job: (stack: FleetStack) => Promise<void>): Promise<void> {
    const waiting = [...stacks];
    const worker = async () => {
      for (let stack = waiting.shift(); stack; stack = waiting.shift()) await this.#retry(stack, job);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }

  async #retry(stack: FleetStack, job: (stack: FleetStack) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#up;
      try {
        return await job(stack);
      } catch (error) {
        if (attempt === 20 || !mayRetry(error)) throw error;
        await this.#waitUntilHealthy();
      }
    }
  }

  /** After a lost connection, the server is dead or about to restart. */
  async #waitUntilHealthy(): Promise<void> {
    await eventually(
      async () =>
        fetch(`${this.server.url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      (ok) => ok,
    );
  }

  /** Finds the stack by nickname, because a crash may hide whether it was created. */
  create = async (stack: FleetStack): Promise<void> => {
    const path = `/v3/alm/stack?nickname=${encodeURIComponent(`stack ${stack.number}`)}`;
    const [known] = (await this.server.call<Json[]>('GET', path)).body;
    stack.stackId = known
      ? String(known.stack_id)
      : await this.server.applyTemplate(templateOf(this.#cloud, stack, 1));
  };

  update = async (stack: FleetStack): Promise<void> => {
    const json = templateOf(this.#cloud, stack, 2);
    const answer = await this.server.call('PUT', `/v3/alm/template/${stack.stackId}`, { json });
    if (answer.status !== 202) throw new Error(answer.text);
  };

  /** When retried after a crash, the stack may already be gone. */
  remove = async ({ stackId }: FleetStack): Promise<void> => {
    const answer = await this.server.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    if (answer.status !== 200 && answer.status !== 404) throw new Error(answer.text);
  };

  /** Waits until the server shows this number of stacks in each status. Fails if no status changes for a long time. */
  async waitUntil(expected: Readonly<Record<string, number>>): Promise<void> {
    let last = '';
    let changedAt = Date.now();
    for (;;) {
      await this.#up;
      // Polling more often would slow down the server.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const found = await this.statuses().catch(() => 'no response');
      const text = JSON.stringify(found);
      if (text === JSON.stringify(expected)) return;
      if (text !== last) changedAt = Date.now();
      last = text;
      if (Date.now() > changedAt + stuckMs) throw new Error(`Stuck: ${text}\n${await this.#notAs(expected)}`);
    }
  }

  /** Stacks of other statuses, as they are described, with their last events: for the error message. */
  async #notAs(expected: Readonly<Record<string, number>>): Promise<string> {
    const { body: list } = await this.server.call<Json[]>('GET', '/v3/alm/stack');
    const others = list.filter(({ stack_status: status }) => !(String(status) in expected)).slice(0, 5);
    const texts = others.map(async ({ stack_id: id }) => {
      const { body } = await this.server.call('GET', `/v3/alm/stack/${String(id)}`);
      const events = await this.server.call<Json[]>('GET', `/v3/alm/stack/${String(id)}/events`);
      return JSON.stringify([body.stack_status, body.stack_status_reason, events.body.slice(-10)]);
    });
    return (await Promise.all(texts)).join('\n');
  }

  async statuses(): Promise<Record<string, number>> {
    const { status: code, body: list, text } = await this.server.call<Json[]>('GET', '/v3/alm/stack');
    if (code !== 200) throw new Error(text);
    const counts: Record<string, number> = {};
    for (const stack of list) {
      const status = String(stack.stack_status);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
}
