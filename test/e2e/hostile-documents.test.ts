import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin } from './almanac-process.ts';

let place: TestPlace;
let server: AlmanacProcess;
beforeAll(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place);
  await server.userToken();
});
afterAll(() => place.remove());

const mebibyte = 1024 * 1024;
const filled = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((mebibyte - before.length - after.length) / unit.length)) + after;

const withVariables = (count: number, length: number) => {
  const [layer] = oneServer().configurations;
  const names = Array.from({ length: count }, (_, index) => [`V${index}`, 'x'.repeat(length)]);
  return {
    ...oneServer(),
    configurations: [{ ...layer, container: { container_env_vars: Object.fromEntries(names) } }],
  };
};

const cpuOf = (path: string): number => {
  const [, fields = ''] = readFileSync(path, 'utf8').split(') ');
  return Number(fields.split(' ')[11]) + Number(fields.split(' ')[12]);
};
/** Processor time of the main thread and of the whole process, in hundredths of a second. */
const cpu = () => {
  const { pid } = server.process;
  return { main: cpuOf(`/proc/${pid}/task/${pid}/stat`), all: cpuOf(`/proc/${pid}/stat`) };
};
const peakMegabytes = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024;

const post = (path: string, type: string, body: string) =>
  server.call('POST', path, { raw: body, headers: { 'content-type': type } });

describe('eight hostile templates of 1 MiB at once', () => {
  it.each([
    ['YAML [a,a,…]', 'application/yaml', filled('[', 'a,', 'a]')],
    ['YAML lines', 'application/yaml', filled('', '- a\n', '')],
    ['YAML names', 'application/yaml', Array.from({ length: 75_000 }, (_, i) => `key${i}: 1`).join('\n')],
    ['YAML comments', 'application/yaml', filled('', '#\n', '')],
    ['YAML brackets', 'application/yaml', filled('', '[', '')],
    ['JSON [{},{},…]', 'application/json', filled('[', '{},', '0]')],
    ['JSON brackets', 'application/json', filled('', '[', '')],
  ])('%s are refused, and the main thread does little of the work', async (_name, type, body) => {
    const before = cpu();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v3/alm/template', type, body)));
    const after = cpu();
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(400));
    // In hundredths of a second, for eight documents; a tenth of a second each includes receiving the text.
    expect(after.main - before.main).toBeLessThan(80);
    expect(peakMegabytes()).toBeLessThan(700);
  });
});

describe('a request body with far too many values', () => {
  const many = Array.from({ length: 100_000 }, () => 0);

  it.each([
    ['as JSON', 'application/json', JSON.stringify({ configurations: many })],
    ['as a form', 'application/x-www-form-urlencoded', 'a=1&'.repeat(100_000)],
  ])('%s is refused with 413 and what to do', async (_name, type, body) => {
    const { status, body: answer } = await post('/v2/alm/stack', type, body);
    expect(status).toBe(413);
    expect(answer).toMatchObject({ error: 'too_large', description: expect.stringMatching(/^Send/) });
  });

  it('is refused in a v2 configuration that is sent as text', async () => {
    const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations: JSON.stringify(many) };
    const { status, body } = await server.call('POST', '/v2/alm/stack', { json });
    expect(status).toBe(400);
    expect(String(body.message)).toContain('more than 10000');
  });
});

it('a large template that is valid is stored, compared and previewed through other threads', async () => {
  const template = withVariables(5000, 20);
  const stackId = await server.applyTemplate(template);
  const changed = { ...template, label: 'changed' };
  const preview = await server.call('POST', `/v3/alm/template/preview?stack_id=${stackId}`, {
    json: changed,
  });
  expect(preview.status).toBe(200);
  const edited = { label: { oldvalue: template.label, newvalue: 'changed' } };
  expect(preview.body.diff).toMatchObject({ new: [], removed: [], edited });
  const compared = await server.call('POST', '/v3/alm/template/compare', {
    json: { id: [{ [stackId]: { version: '' } }], body: [JSON.stringify(changed)] },
  });
  expect(compared.body.diff).toMatchObject({ edited });
  const invalid = await server.call('POST', '/v3/alm/template/compare', {
    json: { id: [{ [stackId]: { version: '' } }], body: [JSON.stringify({ ...changed, label: 5.5, x: 1 })] },
  });
  expect(invalid.status).toBe(400);
  expect(invalid.body.problems).toMatchObject([{ path: 'body/0/x' }]);
  const metrics = await server.call('GET', '/metrics');
  expect(metrics.text).toMatch(/almanac_documents_total\{end="done"\} \d/);
});

it('a document that exceeds the time gets 413 with what to do, and the server continues', async () => {
  const own = await makeTestPlace();
  try {
    const limited = await AlmanacProcess.serve(own, { ...knownLogin, ALM_DOCUMENT_SECONDS: '0.01' });
    const { status, body } = await limited.call('POST', '/v3/alm/template', {
      json: withVariables(9_000, 90),
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({
      message: 'The document takes more than 0.01 s to process',
      description: expect.stringContaining('smaller'),
    });
    const small = await limited.call('POST', '/v3/alm/template', { json: withVariables(1, 20) });
    expect(small.status).toBe(201);
    const metrics = await limited.call('GET', '/metrics');
    expect(metrics.text).toContain('almanac_documents_total{end="time"} 1');
  } finally {
    await own.remove();
  }
});
