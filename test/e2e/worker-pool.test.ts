import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { realClock, VirtualClock } from '../../src/basics/clock.ts';
import { endlessMemory, MemoryRoom } from '../../src/basics/memory-room.ts';
import { pooledDocuments } from '../../src/operations/documents/documents.ts';
import { ready } from '../../src/operations/documents/messages.ts';
import { type JobEnd, type PoolOptions, WorkerPool } from '../../src/operations/documents/worker-pool.ts';
import { oneServer, written } from '../world.ts';

const program = resolve(process.env.TEST_DIST ?? 'dist', 'operations', 'documents', 'worker.js');

const opened: WorkerPool[] = [];
afterEach(() => Promise.all(opened.splice(0).map((pool) => pool.close())));

const openPool = (options: Partial<PoolOptions> = {}) => {
  const ends: JobEnd[] = [];
  const limits = { maxThreads: 1, maxSeconds: 60, maxMegabytes: 256 };
  const defaults = { ...limits, program, clock: realClock, memory: endlessMemory };
  const pool = new WorkerPool({ ...defaults, onEnd: (end) => ends.push(end), ...options });
  opened.push(pool);
  const documents = pooledDocuments(pool);
  const compile = (template: ReturnType<typeof withVariables>, caller = 'one') =>
    documents.run('newTemplate', { input: template, size: template.text.length, caller });
  return { pool, ends, documents, compile };
};

const withVariables = (count: number) => {
  const [layer] = oneServer().configurations;
  const names = Array.from({ length: count }, (_, index) => [`VARIABLE_${index}`, 'x'.repeat(20)]);
  const container = { container_image: 'a/b', container_env_vars: Object.fromEntries(names) };
  return written({ ...oneServer(), configurations: [{ ...layer, container }] });
};

async function workerProgram(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'almanac-worker-')), 'program.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${text}`);
  return file;
}

/** A worker that needs more memory than any limit. How much a real document needs depends on when memory is freed. */
const hungryProgram = () =>
  workerProgram(`parentPort.postMessage(${JSON.stringify(ready)});
    parentPort.on('message', () => { const kept = []; for (;;) kept.push(Array(1000).fill(kept.length)); });`);

/** A worker that never ends a large document, and refuses every other. */
const stuckOnLargeProgram = () =>
  workerProgram(`parentPort.postMessage(${JSON.stringify(ready)});
    parentPort.on('message', ({ input }) => {
      while (input.text.length > 100_000);
      const failure = { kind: 'conflict', message: 'small', description: '', problems: [] };
      parentPort.postMessage({ end: 'failure', failure });
    });`);

const large = withVariables(9_000);
const medium = withVariables(500);

it('a large document is compiled in another thread', async () => {
  const { compile, ends } = openPool();
  const { compiled, placement } = await compile(medium);
  expect(placement.region).toBe('ap-northeast-1');
  expect(Object.keys(compiled.model.layers[0]?.container?.environment ?? {})).toHaveLength(500);
  expect(ends).toEqual(['done']);
});

it('a v2 configuration that was sent as a long text is parsed in another thread', async () => {
  const { documents, ends } = openPool();
  const members = { vars: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`V${index}`, 'x'])) };
  const text = JSON.stringify(members);
  const job = { input: text, size: text.length, caller: 'one' };
  expect(await documents.run('configurationMembers', job)).toEqual(members);
  expect(ends).toEqual(['done']);
});

it('a small document is compiled without a thread', async () => {
  const { compile, ends } = openPool();
  await compile(written(oneServer()));
  expect(ends).toEqual([]);
});

it('a document that exceeds the time is refused, and the next one gets a new thread', async () => {
  const clock = new VirtualClock();
  const { pool, compile, ends } = openPool({ clock, maxSeconds: 5 });
  await compile(medium);
  const slow = compile(large);
  clock.advance(5000);
  await expect(slow).rejects.toMatchObject({
    kind: 'too_large',
    message: 'The document takes more than 5 s to process',
    description: 'Nothing was changed. Make the document smaller: split it into several stacks.',
  });
  await compile(medium);
  expect(ends).toEqual(['done', 'time', 'done']);
  expect(pool.waiting).toBe(0);
});

it('a document that exceeds the memory is refused, and the process survives', async () => {
  const { compile, ends } = openPool({ program: await hungryProgram(), maxMegabytes: 16 });
  const refused = {
    kind: 'too_large',
    message: 'The document takes more than 16 MB to process',
  };
  await expect(compile(medium)).rejects.toMatchObject(refused);
  await expect(compile(medium)).rejects.toMatchObject(refused);
  expect(ends).toEqual(['memory', 'memory']);
});

it('a refused document has all its problems, as if it were compiled in this thread', async () => {
  const { compile } = openPool();
  const broken = written({ ...JSON.parse(medium.text), version: '1', label: 'x'.repeat(65) });
  await expect(compile(broken)).rejects.toMatchObject({
    kind: 'invalid_template',
    problems: [
      { path: 'version', message: 'must be "2017-03-03".' },
      { path: 'label', message: 'must be at most 64 characters; it has 65.' },
    ],
  });
});

it('a caller with many large documents is turned away, and others are served before the rest', async () => {
  const { compile } = openPool();
  const order: string[] = [];
  const greedy = Array.from({ length: 20 }, (_, index) =>
    compile(medium, 'greedy').then(
      () => order.push(`greedy ${index}`),
      ({ kind, retryAfter }) => order.push(`${kind} ${retryAfter}`),
    ),
  );
  const modest = compile(medium, 'modest').then(() => order.push('modest'));
  await Promise.all([...greedy, modest]);
  // One is running and 16 wait.
  expect(order.slice(0, 3)).toEqual(['unavailable 5', 'unavailable 5', 'unavailable 5']);
  expect(order.indexOf('modest')).toBeLessThan(order.indexOf('greedy 2'));
});

it('one caller never takes all threads: another is served while its documents run', async () => {
  const { compile, pool } = openPool({ maxThreads: 2, program: await stuckOnLargeProgram() });
  const greedy = [compile(large, 'greedy'), compile(large, 'greedy')].map((each) =>
    each.catch(() => 'ended'),
  );
  await expect(compile(medium, 'modest')).rejects.toMatchObject({ kind: 'conflict' });
  expect(pool.waiting).toBe(1);
  await pool.close();
  await Promise.all(greedy);
});

it('documents that waited too long are turned away', async () => {
  const clock = new VirtualClock();
  const { compile, ends } = openPool({ clock, maxSeconds: 60 });
  await compile(medium);
  const first = compile(large);
  const second = expect(compile(medium)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  clock.advance(31_000);
  await Promise.all([first, second]);
  expect(ends).toEqual(['done', 'done', 'rejected']);
});

it('a thread that is starting while the pool is closed does not live on', async () => {
  const { compile, pool } = openPool({ program: await stuckOnLargeProgram() });
  const refused = expect(compile(large)).rejects.toMatchObject({ kind: 'unavailable' });
  await pool.close();
  await refused;
});

it('a thread that cannot start fails the document, not the process', async () => {
  const { compile } = openPool({ program: `${program}.missing` });
  const refused = { kind: 'unavailable', retryAfter: 5 };
  await expect(compile(medium)).rejects.toMatchObject(refused);
  await expect(compile(medium)).rejects.toMatchObject(refused);
});

it('a thread that does not get ready within 20 s fails the document, and the next one gets a new thread', async () => {
  const clock = new VirtualClock();
  const { compile, ends } = openPool({ clock, program: await workerProgram('setInterval(() => {}, 1000);') });
  const refused = { kind: 'unavailable', message: 'The server cannot process large documents at the moment' };
  for (const document of [compile(medium), compile(medium)]) {
    const end = expect(document).rejects.toMatchObject(refused);
    clock.advance(20_000);
    await end;
  }
  expect(ends).toEqual(['crash', 'crash']);
});

it('without memory for a thread a document is turned away, idle threads end, and the next document gets a new one', async () => {
  let used = 0;
  const memory = new MemoryRoom({ limit: 100, thread: 50, used: () => used, collect: () => {} });
  const { compile, ends } = openPool({ memory });
  await compile(medium);
  used = 60;
  await expect(compile(medium)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  expect(memory.refused).toBe(1);
  used = 10;
  await compile(medium);
  expect(ends).toEqual(['done', 'rejected', 'done']);
});

it('a thread ends with its document when there is no memory to keep it', async () => {
  const readings = [0, 60, 0, 0];
  const memory = new MemoryRoom({
    limit: 100,
    thread: 50,
    used: () => readings.shift() ?? 0,
    collect: () => {},
  });
  const { compile, pool } = openPool({ memory });
  await compile(medium);
  expect(pool.threads).toBe(0);
  await compile(medium);
  expect(pool.threads).toBe(1);
});
