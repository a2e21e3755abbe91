import { expect } from 'vitest';
import type { HeatRequest } from './golden-requests.ts';
import { rig } from './rig.ts';

/** The rig shares its machine with other work. */
export const slowly = { timeout: 800_000, interval: 2000 };

interface SignedIn {
  token: {
    catalog: { type: string; endpoints: { interface: string; region_id: string; url: string }[] }[];
  };
}

interface Row {
  physical_resource_id: string;
  resource_name: string;
  resource_status: string;
  links: { rel: string; href: string }[];
}

interface Shown {
  stack: {
    stack_status: string;
    stack_status_reason: string;
    outputs: { output_key: string; output_value?: unknown; output_error?: string }[];
  };
}

/** Heat itself, without Almanac's driver. */
export class Heat {
  readonly #token: string;
  readonly #endpoint: string;
  readonly #answered = new Set<string>();

  private constructor(token: string, endpoint: string) {
    this.#token = token;
    this.#endpoint = endpoint;
  }

  /** As a user whose project has the same name. */
  static async signIn(name = 'demo'): Promise<Heat> {
    const domain = { name: 'Default' };
    const password = { user: { name, domain, password: rig.password } };
    const scope = { project: { name, domain } };
    const answer = await fetch(`${rig.authUrl}/v3/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity: { methods: ['password'], password }, scope } }),
    });
    const { token } = (await answer.json()) as SignedIn;
    const heat = token.catalog.find(({ type }) => type === 'orchestration');
    const endpoint = heat?.endpoints.find((each) => each.interface === 'public')?.url ?? '';
    return new Heat(answer.headers.get('x-subject-token') ?? '', endpoint);
  }

  async call(method: string, path: string, body?: unknown) {
    const answer = await fetch(path.startsWith('http') ? path : `${this.#endpoint}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-auth-token': this.#token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }

  /** The path of the new stack. */
  async create(name: string, { template, files, environment }: HeatRequest) {
    const request = {
      stack_name: name,
      template,
      files,
      ...environment,
      timeout_mins: 30,
      disable_rollback: true,
    };
    const { status, body } = await this.call('POST', '/stacks', request);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return `/stacks/${name}/${(body['stack'] as { id: string }).id}`;
  }

  async #show(path: string): Promise<Shown['stack']> {
    return ((await this.call('GET', path)).body as unknown as Shown).stack;
  }

  statusOf = async (path: string) => (await this.#show(path)).stack_status;
  reasonOf = async (path: string) => (await this.#show(path)).stack_status_reason;
  outputsOf = async (path: string) => (await this.#show(path)).outputs;

  async update(path: string, { template, files, environment }: HeatRequest): Promise<void> {
    const request = { template, files, ...environment, timeout_mins: 30, disable_rollback: true };
    const { status, body } = await this.call('PUT', path, request);
    if (status !== 202) throw new Error(JSON.stringify(body));
  }

  async remove(path: string): Promise<void> {
    await this.call('DELETE', path);
    await expect
      .poll(async () => {
        const status = await this.statusOf(path);
        // A database that is still being built cannot be deleted.
        if (status === 'DELETE_FAILED') await this.call('DELETE', path);
        return status;
      }, slowly)
      .toBe('DELETE_COMPLETE');
  }

  /** The ids that the resources of the stack itself have in the cloud. */
  async idsOf(path: string): Promise<Record<string, string>> {
    const { body } = await this.call('GET', `${path}/resources`);
    const rows = body['resources'] as Row[];
    return Object.fromEntries(rows.map(({ resource_name: name, physical_resource_id: id }) => [name, id]));
  }

  /** Says what the agents of the servers would: on the rig, nothing boots. */
  async answerHandles(path: string): Promise<void> {
    const query = 'nested_depth=3&type=OS::Heat::WaitConditionHandle';
    const { body } = await this.call('GET', `${path}/resources?${query}`);
    for (const { resource_status: status, links } of body['resources'] as Row[]) {
      const address = links.find(({ rel }) => rel === 'self')?.href ?? '';
      if (status !== 'CREATE_COMPLETE' || this.#answered.has(address)) continue;
      this.#answered.add(address);
      await this.call('POST', `${address}/signal`, { status: 'SUCCESS', id: '1', data: '', reason: '' });
    }
  }
}
