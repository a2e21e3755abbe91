// Time from the request to a complete stack through Almanac, beside a plain POST of the same document to the same Heat. See README.md.
// Usage after a build: bash scripts/with-openstack.sh node bench/openstack.mjs [rounds]; DIST=<directory> measures another build
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [rounds = 5] = process.argv.slice(2).map(Number);
const authUrl = process.env.ALM_TEST_OPENSTACK_URL ?? 'http://127.0.0.1:5000/v3';
const secret = 'rigsecret';
const root = { username: 'root', password: 'bench-root-password' };
const client = { client_id: 'lg-bench-client', client_secret: 'bench-client-secret' };
const data = mkdtempSync(join(tmpdir(), 'almanac-bench-'));
const server = spawn(process.execPath, [resolve(process.env.DIST ?? 'dist', 'almanac', 'main.js'), 'serve'], {
  env: {
    PATH: process.env.PATH,
    ALM_PORT: '0',
    ALM_DATA: data,
    ALM_LOG: 'silent',
    ALM_RATE_LIMIT: '0',
    ALM_CLIENT_ID: client.client_id,
    ALM_CLIENT_SECRET: client.client_secret,
    ALM_ROOT_PASSWORD: root.password,
    ALM_OPENSTACK_AUTH_URLS: authUrl,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
const url = await new Promise((found) => {
  server.stdout.on('data', (chunk) => {
    output += chunk;
    const [, address] = /serving at (http:\S+)/.exec(output) ?? [];
    if (address) found(address);
  });
});

async function send(address, { method = 'GET', headers = {}, body } = {}) {
  const answer = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 404)
    throw new Error(`${method} ${address}: ${answer.status} ${text.slice(0, 300)}`);
  return {
    status: answer.status,
    headers: answer.headers,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {},
  };
}

const signedIn = await send(`${url}/v3/access_token`, {
  method: 'POST',
  body: { ...client, ...root, grant_type: 'password' },
});
const almanac = (method, path, body) =>
  send(url + path, { method, body, headers: { authorization: `Bearer ${signedIn.body.access_token}` } });

const domain = { name: 'Default' };
const password = { user: { name: 'demo2', domain, password: secret } };
const scope = { project: { name: 'demo2', domain } };
const token = await send(`${authUrl}/auth/tokens`, {
  method: 'POST',
  body: { auth: { identity: { methods: ['password'], password }, scope } },
});
const urlOf = (service) =>
  token.body.token.catalog
    .find(({ type }) => type === service)
    .endpoints.find((each) => each.interface === 'public').url;
const headers = { 'x-auth-token': token.headers.get('x-subject-token') };
const heat = (method, path, body) => send(urlOf('orchestration') + path, { method, body, headers });

const lists = {
  stacks: ['orchestration', '/stacks'],
  servers: ['compute', '/servers'],
  volumes: ['volumev3', '/volumes'],
  networks: ['network', '/v2.0/networks?shared=False&router%3Aexternal=False&fields=id'],
  routers: ['network', '/v2.0/routers?fields=id'],
  ports: ['network', '/v2.0/ports?fields=id'],
  floatingips: ['network', '/v2.0/floatingips?fields=id'],
  security_groups: ['network', '/v2.0/security-groups?fields=id'],
};
/** What is in the project, counted by the services themselves. */
async function countAll() {
  const counts = {};
  for (const [kind, [service, path]] of Object.entries(lists))
    counts[kind] = (await send(urlOf(service) + path, { headers })).body[kind].length;
  return counts;
}

const template = {
  version: '2017-03-03',
  label: 'bench',
  description: '',
  vendor: { openstack: { cred: 'demo2@Default/demo2', region: 'RegionOne', secret } },
  configurations: [
    {
      role: 'web',
      flag: 'web',
      provision: {
        image: '${computed}',
        instance_type: 't2.micro',
        instance_count: 1,
        keypair: false,
        subnet: { cidr: '10.0.0.0/24', public: true, auto_assign_public_ip: true },
      },
    },
  ],
};

async function until(read, done) {
  for (;;) {
    const found = await read();
    if (done(found)) return found;
    if (/FAILED/.test(String(found))) throw new Error(`It failed: ${found}`);
    await new Promise((next) => setTimeout(next, 250));
  }
}

/** Seconds of the processor that the server took so far. */
function cpuSeconds() {
  const [, rest = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number);
  return (user + system) / 100;
}

async function throughAlmanac() {
  const started = performance.now();
  const { body } = await almanac('POST', '/v3/alm/template', template);
  const id = body.stack_id;
  await until(
    async () => (await almanac('GET', `/v3/alm/stack/${id}`)).body.stack_status,
    (status) => status === 'CREATE_COMPLETE',
  );
  const seconds = (performance.now() - started) / 1000;
  const [stack] = (await heat('GET', `/stacks?name=${id}`)).body.stacks;
  const document = (await heat('GET', `/stacks/${id}/${stack.id}/template`)).body;
  // Until the end: what Almanac deletes last, it finds by the id of the stack, which the document has too.
  const remove = async () => {
    await almanac('DELETE', `/v3/alm/stack/${id}?data=delete&servers=replace`);
    await until(
      async () => (await almanac('GET', `/v3/alm/stack/${id}`)).body.stack_status,
      (status) => status === 'DELETE_COMPLETE',
    );
  };
  return { seconds, document, remove };
}

async function plainly(document, round) {
  const name = `bench-${process.pid}-${round}`;
  const started = performance.now();
  const { body } = await heat('POST', '/stacks', { stack_name: name, template: document, timeout_mins: 60 });
  const path = `/stacks/${name}/${body.stack.id}`;
  const read = async () => (await heat('GET', `${path}?resolve_outputs=False`)).body.stack.stack_status;
  await until(read, (status) => status === 'CREATE_COMPLETE');
  const seconds = (performance.now() - started) / 1000;
  await heat('DELETE', path);
  await until(
    async () => (await heat('GET', `/stacks?name=${name}`)).body.stacks.length,
    (left) => left === 0,
  );
  return seconds;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

try {
  const [ours, plain, cpu] = [[], [], []];
  const before = await countAll();
  for (let round = 0; round < rounds; round += 1) {
    const cpuBefore = cpuSeconds();
    const { seconds, document, remove } = await throughAlmanac();
    cpu.push(cpuSeconds() - cpuBefore);
    await remove();
    ours.push(seconds);
    plain.push(await plainly(document, round));
    console.log(
      `round ${round + 1}: Almanac ${seconds.toFixed(1)} s, plain POST ${plain.at(-1).toFixed(1)} s`,
    );
  }
  console.log(`median: Almanac ${median(ours).toFixed(1)} s, plain POST ${median(plain).toFixed(1)} s`);
  console.log(
    `ratio ${(median(ours) / median(plain)).toFixed(2)}; CPU of Almanac for one stack ${median(cpu).toFixed(2)} s`,
  );
  const after = await countAll();
  const left = Object.entries(after).map(([kind, count]) => `${kind} ${count - before[kind]}`);
  console.log(`left in OpenStack: ${left.join(', ')}`);
} finally {
  server.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
}
