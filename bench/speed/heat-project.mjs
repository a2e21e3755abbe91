// A project of an OpenStack, through the REST interfaces of Keystone and Heat.
import { setTimeout } from 'node:timers/promises';

const authUrl = process.env.ALM_TEST_OPENSTACK_URL ?? 'http://127.0.0.1:5000/v3';
const domain = { name: 'Default' };
const user = { name: 'demo2', domain, password: process.env.OPENSTACK_RIG_PW ?? 'rigsecret' };
const scope = { project: { name: 'demo2', domain } };

/** The resources of a small stack of Almanac on the sandbox cloud and their dependencies. None of them takes time. */
const dependencies = {
  Network: [],
  Gateway: [],
  GatewayAttachment: ['Gateway', 'Network'],
  Subnet: ['Network'],
  SecurityGroup: ['Network'],
  RouteTable: ['GatewayAttachment', 'Subnet'],
  KeyPair: [],
  Server: ['GatewayAttachment', 'KeyPair', 'SecurityGroup', 'Subnet'],
};
const resources = Object.fromEntries(
  Object.entries(dependencies).map(([name, others]) => [
    name,
    { type: 'OS::Heat::TestResource', depends_on: others },
  ]),
);
const document = { heat_template_version: '2018-08-31', resources };

async function send(url, { method = 'GET', token, body } = {}) {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { 'x-auth-token': token } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 404)
    throw new Error(`${method} ${url}: ${answer.status} ${text.slice(0, 300)}`);
  return { headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

export class HeatProject {
  /** Stacks of this run, and of no other. */
  #prefix = `bench-${process.pid}-`;
  #paths = [];

  static async signIn() {
    const auth = { identity: { methods: ['password'], password: { user } }, scope };
    const { headers, body } = await send(`${authUrl}/auth/tokens`, { method: 'POST', body: { auth } });
    const { endpoints } = body.token.catalog.find(({ type }) => type === 'orchestration');
    const { url } = endpoints.find((each) => each.interface === 'public');
    return new HeatProject(url, headers.get('x-subject-token'));
  }

  constructor(base, token) {
    this.base = base;
    this.url = new URL(base).origin;
    this.token = token;
    // `load` asks for the CPU of a process. Heat has many, so this one stands for them, and its figure is not shown.
    this.pid = process.pid;
  }

  #send = (path, request) => send(this.base + path, { ...request, token: this.token });

  listRequest = () => ({
    path: `${new URL(this.base).pathname}/stacks`,
    headers: { 'x-auth-token': this.token },
  });

  create = async (number) => {
    const name = this.#prefix + number;
    const body = { stack_name: name, template: document, timeout_mins: 30 };
    const { stack } = (await this.#send('/stacks', { method: 'POST', body })).body;
    this.#paths.push(`/stacks/${name}/${stack.id}`);
  };

  #ownStacks = async () =>
    (await this.#send('/stacks')).body.stacks.filter(({ stack_name: name }) => name.startsWith(this.#prefix));

  countInProgress = async () => {
    const stacks = await this.#ownStacks();
    const bad = stacks.find(({ stack_status: status }) => status === 'CREATE_FAILED');
    if (bad) throw new Error(`stack ${bad.stack_name}: ${bad.stack_status_reason}`);
    return stacks.filter(({ stack_status: status }) => status === 'CREATE_IN_PROGRESS').length;
  };

  async removeAll() {
    for (const path of this.#paths) await this.#send(path, { method: 'DELETE' });
    while ((await this.#ownStacks()).length > 0) await setTimeout(1_000);
  }
}
