import { connect } from 'node:net';
import type { SshOptions } from '../../../src/operations/ssh/options.ts';
import type { StackView } from '../../../src/vendors/vendor.ts';
import { oneServer } from '../../world.ts';
import { type Answer, type Json, type Request, ServedAlmanac } from '../served-almanac.ts';
import { SshHost } from './host.ts';
import { TerminalClient } from './terminal-client.ts';

interface SshWorldParts {
  almanac: ServedAlmanac;
  stackId: string;
  host: SshHost;
  key: string;
}

/** A complete Almanac with a stack of two servers; all their addresses lead to one ssh host. */
export class SshWorld {
  readonly almanac: ServedAlmanac;
  readonly stackId: string;
  readonly host: SshHost;
  /** The private key of its layer. */
  readonly key: string;

  private constructor({ almanac, stackId, host, key }: SshWorldParts) {
    this.almanac = almanac;
    this.stackId = stackId;
    this.host = host;
    this.key = key;
    this.configure({});
  }

  static async start(servers = 2): Promise<SshWorld> {
    const almanac = await ServedAlmanac.start();
    const stackId = await almanac.applyTemplate(oneServer(servers));
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const key = await keyOf(almanac, stackId);
    return new SshWorld({ almanac, stackId, host: await SshHost.start(key), key });
  }

  /** Connects every address to the host. */
  configure(options: SshOptions): void {
    this.almanac.service.ssh = {
      dial: async () => connect({ port: this.host.port, host: '127.0.0.1' }),
      ...options,
    };
  }

  async instances(): Promise<StackView['instances']> {
    const { query } = this.almanac.service.database;
    const row = await query
      .selectFrom('stacks')
      .select('view')
      .where('id', '=', this.stackId)
      .executeTakeFirstOrThrow();
    return (JSON.parse(row.view) as StackView).instances;
  }

  async firstInstance(): Promise<{ id: string; privateIp: string }> {
    const [first] = await this.instances();
    if (!first) throw new Error('The stack has no instance.');
    return first;
  }

  /** As the master user, unless a token is given. */
  async call<Body = Json>(method: string, path: string, request: Request = {}): Promise<Answer<Body>> {
    const token = request.token ?? (await this.almanac.userToken());
    return this.almanac.call<Body>(method, path, { ...request, token });
  }

  exec = (json: object, token?: string): Promise<Answer<Json>> =>
    this.call('POST', `/v3/alm/stack/${this.stackId}/exec`, { json, ...(token ? { token } : {}) });

  /** Runs on the first server. */
  run = async (script: string, more: object = {}): Promise<Answer<Json>> =>
    this.exec({ instance_id: (await this.firstInstance()).id, script, ...more });

  /** Requests a ticket for the first server. */
  async ticket(more: object = {}, token?: string): Promise<Answer<Json>> {
    const json = { instance_id: (await this.firstInstance()).id, ...more };
    const path = `/v3/alm/stack/${this.stackId}/terminal`;
    return this.call('POST', path, { json, ...(token ? { token } : {}) });
  }

  async terminal(more: object = {}, token?: string): Promise<TerminalClient> {
    const { body } = await this.ticket(more, token);
    return TerminalClient.open(this.almanac.url + String(body.url));
  }

  async events(): Promise<string[]> {
    const answer = await this.call<Json[]>('GET', `/v3/alm/stack/${this.stackId}/events?limit=1000`);
    return answer.body.map((event) => String(event.message));
  }

  /** Details of audit entries, oldest first. */
  async auditDetails(): Promise<string[]> {
    const { query } = this.almanac.service.database;
    const rows = await query.selectFrom('audit').select('detail').orderBy('number').execute();
    return rows.flatMap(({ detail }) => detail ?? []);
  }

  async close(): Promise<void> {
    await this.almanac.close();
    await this.host.close();
  }
}

async function keyOf(almanac: ServedAlmanac, stackId: string): Promise<string> {
  const token = await almanac.userToken();
  const link = await almanac.call('GET', `/v3/alm/pem?stack_id=${stackId}`, { token });
  return (await fetch(String(link.body.data))).text();
}
