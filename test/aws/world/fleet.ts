import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import { letLeasesRunOut } from '../../e2e/behind-the-servers.ts';
import { eventually, type Json } from '../../http.ts';
import type { TestPlace } from '../../open-database.ts';
import type { FaultProxy } from './fault-proxy.ts';

/** A credential in a region: what AWS limits, and what polling is done for. */
export interface Bucket {
  cred: string;
  region: string;
}

export interface FleetStack {
  number: number;
  bucket: Bucket;
  stackId: string;
}

const listeners = [{ load_balancer_port: 80, protocol: 'HTTP', instance_port: 80 }];

/** Every tenth has its servers in a group behind a load balancer. */
export function templateOf({ number, bucket }: FleetStack, servers: number): object {
  const provision =
    number % 10 === 9
      ? { auto_scaling: { min: servers, max: 4 }, load_balancer: { listeners } }
      : { instance_count: servers };
  const server = {
    image: '${computed}',
    instance_type: 't3.micro',
    availability_zone: `${bucket.region}a`,
    // Making keys is what costs a simulator most.
    keypair: number % 5 === 0,
  };
  return {
    version: '2017-03-03',
    label: `${servers} servers`,
    description: '',
    nickname: `stack ${number}`,
    vendor: { aws: bucket },
    configurations: [{ role: 'web', flag: 'web0', provision: { ...server, ...provision } }],
  };
}

/** Jobs at a time, as a person's script would send them. */
const atATime = 8;

/** The real service as a process of its own, with its cloud behind a front, and a way to kill it at the worst moment. */
export class Fleet {
  readonly #place: TestPlace;
  readonly #front: FaultProxy;
  readonly #settings: Readonly<Record<string, string>>;
  server!: AlmanacProcess;
  /** While it is restarted nobody is asked. */
  #up: Promise<void> = Promise.resolve();
  kills = 0;

  constructor(place: TestPlace, front: FaultProxy, pollSeconds: number) {
    this.#place = place;
    this.#front = front;
    this.#settings = {
      ...knownLogin,
      AWS_ENDPOINT_URL: front.url,
      ALM_AWS_POLL_SECONDS: String(pollSeconds),
      ALM_BASE_URL: 'https://almanac.example',
    };
  }

  async start(): Promise<void> {
    this.server = await AlmanacProcess.serve(this.#place, this.#settings);
    await this.server.userToken();
  }

  async saveCredential(id: string): Promise<void> {
    const credentials = { AWSAccessKeyId: id, AWSSecretKey: 'secret', AWSAccountName: id };
    const answer = await this.server.call('POST', '/v3/credentials/aws', { json: { credentials } });
    if (answer.status >= 300) throw new Error(answer.text);
  }

  /** SIGKILL at the moment the nth of these calls has reached AWS, before it is answered. */
  killAt(operation: string, counts: readonly number[]): void {
    let seen = 0;
    this.#front.onCall = (call) => {
      if (call.operation !== operation) return;
      seen += 1;
      if (counts.includes(seen)) this.#killAndRestart();
    };
  }

  #killAndRestart(): void {
    this.kills += 1;
    this.#up = this.#up.then(async () => {
      const token = this.server.userToken();
      await this.server.kill('SIGKILL');
      await letLeasesRunOut(this.#place);
      this.server = await AlmanacProcess.serve(this.#place, this.#settings);
      this.server.useToken(token);
    });
  }

  /** Asks for each; what a crash cut off is asked again of the next server. */
  async forEach(stacks: readonly FleetStack[], job: (stack: FleetStack) => Promise<void>): Promise<void> {
    const waiting = [...stacks];
    const worker = async () => {
      for (let stack = waiting.shift(); stack; stack = waiting.shift()) await this.#insist(stack, job);
    };
    await Promise.all(Array.from({ length: atATime }, worker));
  }

  async #insist(stack: FleetStack, job: (stack: FleetStack) => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#up;
      try {
        return await job(stack);
      } catch (trouble) {
        if (attempt === 20 || !(trouble instanceof TypeError)) throw trouble; // fetch throws TypeError when cut off
        await this.#deadOrWell();
      }
    }
  }

  /** Cut off: the server is dead, and soon it is known to be. */
  async #deadOrWell(): Promise<void> {
    await eventually(
      async () =>
        fetch(`${this.server.url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      (ok) => ok,
      30,
    );
  }

  /** Where a crash leaves open whether the stack was made, its nickname tells. */
  create = async (stack: FleetStack): Promise<void> => {
    const path = `/v3/alm/stack?nickname=${encodeURIComponent(`stack ${stack.number}`)}`;
    const [known] = (await this.server.call<Json[]>('GET', path)).body;
    stack.stackId = known ? String(known.stack_id) : await this.server.applyTemplate(templateOf(stack, 1));
  };

  update = async (stack: FleetStack): Promise<void> => {
    const json = templateOf(stack, 2);
    const answer = await this.server.call('PUT', `/v3/alm/template/${stack.stackId}`, { json });
    if (answer.status !== 202) throw new Error(answer.text);
  };

  /** Asked again after a crash, it may be gone already. */
  remove = async ({ stackId }: FleetStack): Promise<void> => {
    const answer = await this.server.call('DELETE', `/v3/alm/stack/${stackId}`);
    if (answer.status !== 200 && answer.status !== 404) throw new Error(answer.text);
  };

  /** How many stacks the service shows in each status, once it is as wanted; what is not ends in the error. */
  async waitUntil(wanted: Readonly<Record<string, number>>, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      await this.#up;
      // Whoever asks more often takes the time away from those who work.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const found = await this.statuses().catch(() => 'no answer');
      if (JSON.stringify(found) === JSON.stringify(wanted)) return;
      if (Date.now() > deadline) {
        throw new Error(`After ${seconds} s: ${JSON.stringify(found)}\n${await this.#failures()}`);
      }
    }
  }

  /** What the service says of the stacks that failed: without it nobody could tell why. */
  async #failures(): Promise<string> {
    const { body: list } = await this.server.call<Json[]>('GET', '/v3/alm/stack');
    const failed = list.filter(({ stack_status: status }) => String(status).endsWith('_FAILED'));
    return failed.map(({ stack_status_reason: reason }) => String(reason)).join('\n');
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
