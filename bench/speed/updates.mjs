// Updates and previews of a stack with data against one without: what the guard over data costs. See ../README.md.
// Usage after a build: node bench/speed/updates.mjs [requests]; DIST=<directory> measures another build
import { call, jsonOf, openClient } from './load.mjs';
import { report } from './report.mjs';
import { cpuMs, startServer } from './server.mjs';
import { signIn, template } from './stacks.mjs';

const [count = 300] = process.argv.slice(2).map(Number);
const server = await startServer();
const token = await signIn(server);
const client = openClient(server.url);

/** The same resources, with a fixed server and a database, or with a group and Memcached, which hold no data. */
const document = (hasData, label) => {
  const { configurations, ...rest } = template(0);
  const [{ provision, ...layer }] = configurations;
  const { instance_count: _, ...common } = provision;
  const own = hasData
    ? { instance_count: 1, rds: { engine: 'mysql', storage: 20 } }
    : { auto_scaling: { min: 1, max: 1 }, elasticache: { engine: 'memcached', node_type: 'cache.t2.micro' } };
  return { ...rest, label, configurations: [{ ...layer, provision: { ...common, ...own } }] };
};

const send = async (request) => jsonOf(request, await client.ask(request));

async function settledStack(hasData) {
  const made = await call(server.url, {
    method: 'POST',
    path: '/v3/alm/template',
    token,
    body: document(hasData, 'first'),
  });
  const read = () => call(server.url, { path: `/v3/alm/stack/${made.stack_id}`, token });
  while ((await read()).stack_status !== 'CREATE_COMPLETE');
  // The passes would take the processor from the requests.
  const fault = { kind: 'unreachable', seconds: 3600, stack_id: made.stack_id };
  await call(server.url, { method: 'POST', path: '/v3/sandbox/fault', token, body: fault });
  return made.stack_id;
}

async function measure(requestOf) {
  for (let each = 0; each < 30; each += 1) await send(requestOf(`warm ${each}`));
  const [cpu, started] = [cpuMs(server.pid), performance.now()];
  for (let each = 0; each < count; each += 1) await send(requestOf(`${each}`));
  const seconds = (performance.now() - started) / 1000;
  return { value: count / seconds, cpu: (cpuMs(server.pid) - cpu) / count };
}

const rows = [];
for (const [name, pathOf, method] of [
  ['update', (id) => `/v3/alm/template/${id}`, 'PUT'],
  ['preview', (id) => `/v3/alm/template/preview?stack_id=${id}`, 'POST'],
]) {
  const results = [];
  for (const hasData of [false, true]) {
    const id = await settledStack(hasData);
    const requestOf = (label) => ({
      method,
      path: pathOf(id),
      token,
      body: JSON.stringify(document(hasData, label)),
    });
    results.push(await measure(requestOf));
  }
  const [base, own] = results;
  rows.push(
    { name: `${String(name)} of a stack without data`, unit: '/s', isBaseline: true, ...base },
    {
      name: `${String(name)} of a stack with a server and a database`,
      unit: '/s',
      ratio: own.value / base.value,
      ...own,
    },
  );
}
report('updates', rows);
client.close();
await server.stop();
