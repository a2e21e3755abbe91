import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { eventually, type Json } from '../http.ts';

/** A cloud on which servers are made, but nothing boots: the test reports for the agents. */
export interface RolloutCloud {
  environment: Readonly<Record<string, string>>;
  /** The body of `POST /v3/credentials`. */
  credential: { vendor: string; credentials: Readonly<Record<string, string>> };
  /** The vendor of a template. */
  vendor: object;
  instanceType: string;
  stop: () => Promise<void>;
}

interface Said {
  status?: 'uptodate' | 'error';
  message?: string;
  /** The revision that the report is about; undefined: the one that is wanted now. */
  about?: number;
  /** The revision that serves; undefined: that which the report is about. */
  serving?: number;
  definite?: boolean;
}

/** Only a hang reaches it. */
const seconds = 300;

/** A stack with one layer of containers, and its agents. */
class RolloutStack {
  readonly #almanac: ServedAlmanac;
  readonly #cloud: RolloutCloud;
  id = '';

  constructor(almanac: ServedAlmanac, cloud: RolloutCloud) {
    this.#almanac = almanac;
    this.#cloud = cloud;
  }

  #template = (image: string, more: object) => ({
    version: '2017-03-03',
    label: 'shop',
    vendor: this.#cloud.vendor,
    configurations: [
      {
        role: 'web',
        flag: 'web0',
        provision: {
          image: '${computed}',
          instance_type: this.#cloud.instanceType,
          instance_count: 2,
          keypair: false,
        },
        container: { container_image: image },
        ...more,
      },
    ],
  });

  /** A simulator that has just started may be slower than the server waits for a cloud; then it says so, and can be asked again. */
  async create(more: object = {}): Promise<void> {
    const token = await this.#almanac.userToken();
    const json = this.#template('shop:1', more);
    const answer = await eventually(
      () => this.#almanac.call('POST', '/v3/alm/template', { token, json }),
      ({ status }) => status !== 502,
      seconds,
    );
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    this.id = String(answer.body['stack_id']);
  }

  async update(image: string, more: object = {}): Promise<void> {
    const token = await this.#almanac.userToken();
    const path = `/v3/alm/template/${this.id}?servers=replace`;
    const answer = await this.#almanac.call('PUT', path, { token, json: this.#template(image, more) });
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  }

  describe = (): Promise<Json> => this.#almanac.describe(this.id);

  async #instances(): Promise<string[]> {
    const { instances } = (await this.describe()) as { instances: Record<string, Json[]> | Json[] };
    return Object.values(instances)
      .flat()
      .map(({ InstanceId }) => String(InstanceId));
  }

  async rollouts(): Promise<Json[]> {
    const token = await this.#almanac.userToken();
    const { body } = await this.#almanac.call<{ rollouts?: Json[] } | Json[]>(
      'GET',
      `/v3/alm/stack/${this.id}/rollouts`,
      { token },
    );
    return Array.isArray(body) ? body : (body.rollouts ?? []);
  }

  async revision(): Promise<number> {
    return Number((await this.rollouts())[0]?.['revision'] ?? 0);
  }

  /** What all agents say once. */
  async say(application: object, { status = 'uptodate', message }: Said = {}): Promise<void> {
    const token = await this.#almanac.stackToken(this.id);
    for (const id of await this.#instances()) {
      const json = { stack_id: this.id, agent_id: `agent of ${id}`, instance_id: id, status, message };
      const answer = await this.#almanac.call('POST', '/v3/alm/agent/agent_status', {
        token,
        json: { ...json, ...application },
      });
      expect(answer.status).toBe(202);
    }
  }

  /** All agents say it until the stack is as expected, also those of servers that appear later. */
  async reports(said: Said, expected: Json): Promise<void> {
    await this.#until(expected, async () => {
      const revision = said.about ?? (await this.revision());
      const serving = said.serving ?? revision;
      const application = {
        revision,
        serving_revision: serving,
        flag: 'web0',
        every: 60,
        definite: said.definite,
      };
      await this.say(application, said);
    });
  }

  /** Agents of earlier releases. */
  reportsWithoutRevision = (expected: Json): Promise<void> => this.#until(expected, () => this.say({}));

  becomes = (expected: Json): Promise<void> => this.#until(expected, async () => undefined);

  async #until(expected: Json, act: () => Promise<void>): Promise<void> {
    const seen = await eventually(
      async () => {
        await act();
        return this.describe();
      },
      (found) => Object.entries(expected).every(([name, value]) => found[name] === value),
      seconds,
    );
    expect(seen).toMatchObject(expected);
  }
}

/** The truth about the application is the same on every cloud whose agents report it. */
export function rolloutContract(name: string, start: () => Promise<RolloutCloud>): void {
  describe(`rollouts on ${name}`, () => {
    let cloud: RolloutCloud;
    let almanac: ServedAlmanac;
    beforeAll(async () => {
      cloud = await start();
      almanac = await ServedAlmanac.start({
        environment: { ...cloud.environment, ALM_RATE_LIMIT: '0', ALM_BASE_URL: 'https://almanac.example' },
      });
      const token = await almanac.userToken();
      expect((await almanac.call('POST', '/v3/credentials', { token, json: cloud.credential })).status).toBe(
        200,
      );
    });
    afterAll(async () => {
      await almanac.close();
      await cloud.stop();
    });

    async function serving(): Promise<RolloutStack> {
      const stack = new RolloutStack(almanac, cloud);
      await stack.create();
      await stack.reports({}, { stack_status: 'CREATE_COMPLETE', health: 'serving' });
      return stack;
    }

    it('a creation is complete when every instance serves', async () => {
      const stack = new RolloutStack(almanac, cloud);
      await stack.create();
      await stack.reports({ serving: 0 }, { stack_status: 'CREATE_IN_PROGRESS', health: 'down' });
      await stack.reports({}, { stack_status: 'CREATE_COMPLETE', health: 'serving' });
    });

    it('an update is complete when every instance serves the new image, which may take several tries', async () => {
      const stack = await serving();
      const before = await stack.revision();
      await stack.update('shop:2');
      const said = { status: 'error', message: 'The registry does not answer.', serving: before } as const;
      await stack.reports(said, { stack_status: 'UPDATE_IN_PROGRESS', health: 'serving' });
      await stack.reports({}, { stack_status: 'UPDATE_COMPLETE', health: 'serving' });
    });

    it.each([
      'The container exited with code 3 and was restarted 5 times.',
      'manifest unknown',
      'pull access denied',
    ])('an update fails at once, returns, and says why: %s', async (message) => {
      const stack = await serving();
      const before = await stack.revision();
      await stack.update('shop:2');
      const about = await stack.revision();
      const said = { status: 'error', message, about, serving: before, definite: true } as const;
      await stack.reports(said, { doing: 'returning' });
      await stack.reports({}, { stack_status: 'UPDATE_FAILED', health: 'serving' });
      expect((await stack.describe())['stack_status_reason']).toContain(message);
      expect((await stack.rollouts()).map(({ state }) => state)).toEqual(['serving', 'returned', 'serving']);
    });

    it('a creation that crashes fails with its reason', async () => {
      const stack = new RolloutStack(almanac, cloud);
      await stack.create();
      const said = { status: 'error', message: 'exit 3', serving: 0, definite: true } as const;
      await stack.reports(said, { stack_status: 'CREATE_FAILED', health: 'down' });
      expect((await stack.describe())['stack_status_reason']).toContain('exit 3');
    });

    it('agents of earlier releases do not fail their stack, and nobody calls it healthy by silence', async () => {
      const stack = new RolloutStack(almanac, cloud);
      await stack.create();
      await stack.reportsWithoutRevision({ stack_status: 'CREATE_COMPLETE', health: 'unknown' });
    });

    it('a container that dies later changes the health of its stack, not its status', async () => {
      const stack = await serving();
      const said = { status: 'error', message: 'killed', serving: 0 } as const;
      await stack.reports(said, { stack_status: 'CREATE_COMPLETE', health: 'down' });
      await stack.reports({}, { stack_status: 'CREATE_COMPLETE', health: 'serving' });
    });

    it('an update that no agent speaks of fails after the time of its layer', async () => {
      const stack = await serving();
      await stack.update('shop:2', { rollout_timeout: 10, on_failure: 'stay' });
      await stack.becomes({ stack_status: 'UPDATE_FAILED' });
      expect((await stack.describe())['stack_status_reason']).toContain('in time');
    });
  });
}
