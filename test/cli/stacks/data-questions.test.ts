import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { FakeServer, type Handler, sendJson } from '../rough/fake-server.ts';

/** What a request removes: the vendor keeps the first two, cannot keep the third, and the last is a disk. */
const stores = [
  { id: 'data-1', resource: 'DatabaseA', confirm: ['data=keep', 'data=delete'] },
  { id: 'data-2', resource: 'CacheA', confirm: ['data=keep', 'data=delete'] },
  { id: 'data-3', resource: 'FilesA', confirm: ['data=delete'] },
  { id: 'data-4', resource: 'ServerA', confirm: ['servers=replace'] },
].map(({ id, resource, confirm }) => ({
  id,
  resource,
  confirm,
  resource_type: 'Some::Type',
  kind: resource === 'ServerA' ? 'disk' : 'database',
  store_id: `vendor-${id}`,
  action: 'remove',
  sentence: `Sentence about ${resource}.`,
}));

/** As the service decides it. */
function confirms({ id, resource, confirm }: (typeof stores)[number], query: URLSearchParams): boolean {
  const data = query.get('data') ?? '';
  const each = Object.fromEntries(data.split(',').map((choice) => choice.split(':')));
  const choice = data.includes(':') ? (each[id] ?? each[resource]) : data;
  return confirm.includes(`data=${choice}`) || confirm.includes(`servers=${query.get('servers')}`);
}

const layer = { flag: 'web', container: { container_image: 'httpd:2.4' } };
const reads: Readonly<Record<string, unknown>> = {
  '/v3/alm/stack/mo-1': { stack_id: 'mo-1', stack_status: 'CREATE_COMPLETE', version_id: 'v' },
  '/v3/alm/template/mo-1': { configurations: [layer] },
  '/v3/alm/stack/mo-1/images': {
    images: [{ flag: 'web', image: 'ami-1', newest: 'ami-2', effect: 'replace' }],
    changes: [],
    warnings: [],
    data: stores,
  },
  '/v3/alm/stack/mo-1/deletion': { stack_id: 'mo-1', data: stores },
  '/v2/alm/serverconfig': { environmentVariables: [] },
};

let accepted: string[] = [];
const answer: Handler = ({ method, path }, response) => {
  const { pathname, searchParams } = new URL(path, 'http://almanac');
  if (method === 'GET') return sendJson(response, 200, reads[pathname] ?? {});
  const refused = stores.filter((store) => !confirms(store, searchParams));
  if (refused.length === 0) {
    accepted.push(`${method} ${path}`);
    return sendJson(response, 202, { stack_id: 'mo-1', version_id: 'v', status: 'UPDATE_IN_PROGRESS' });
  }
  const message = 'The update removes data.';
  const body = { code: '4090', error: 'conflict', message, description: 'How.', request_id: 'request-1' };
  return sendJson(response, 409, { ...body, stores: refused });
};

let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start(answer);
  user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'token' });
  writeFileSync(join(user.home, 'stack.json'), '{}');
});
beforeEach(() => {
  accepted = [];
  server.requests.length = 0;
});
afterAll(() => {
  user.close();
  server.close();
});

const v2 = ['--apiver', 'v2'];
const commands: [string, string[]][] = [
  ['stack update', ['stack', 'update', 'mo-1', 'stack.json']],
  ['template apply', ['template', 'apply', 'stack.json', '--id', 'mo-1']],
  ['stack update of v2', ['stack', 'update', 'mo-1', '--max', '5', ...v2]],
  ['stack rollback', ['stack', 'rollback', 'mo-1', '--ver', 'v']],
  ['template rollback', ['template', 'rollback', 'mo-1', '--ver', 'v']],
  ['stack cancel', ['stack', 'cancel', 'mo-1']],
  ['stack refresh-images', ['stack', 'refresh-images', 'mo-1']],
  ['stack delete', ['stack', 'delete', 'mo-1']],
  ['stack delete of v2', ['stack', 'delete', 'mo-1', ...v2]],
  ['data restore', ['data', 'restore', 'data-9']],
  ['deploy', ['deploy', 'mo-1', '--image', 'httpd:2.5', '--wait=false']],
  ['deploy of an image to v2', ['deploy', 'mo-1', '--image', 'httpd:2.5', '--wait=false', ...v2]],
  ['deploy of code to v2', ['deploy', 'mo-1', '--ref', 'main', '--wait=false', ...v2]],
  ['restart', ['restart', 'mo-1', '--wait=false']],
  ['restart of v2', ['restart', 'mo-1', '--wait=false', ...v2]],
  ['svrconf update', ['svrconf', 'update', 'mo-1', '--env', 'MODE:live']],
];
const changes = () => server.calls.filter((call) => !call.startsWith('GET '));
const queryOf = (call: string | undefined) =>
  Object.fromEntries(new URL(call?.split(' ')[1] ?? '', 'http://almanac').searchParams);

describe.each(commands)('alm %s that removes data, off a terminal', (_, command) => {
  it('ends with every sentence of the service and the flags that confirm it, and changes nothing', async () => {
    const { code, stdout, stderr } = await user.run(command);
    expect([code, stdout]).toEqual([7, '']);
    for (const { sentence } of stores) expect(stderr).toContain(`\n  ${sentence}\n`);
    for (const flag of ['--keep-data', '--delete-data', '--replace-servers', '--data <id or resource>=keep'])
      expect(stderr).toContain(flag);
    expect([changes().length, accepted]).toEqual([1, []]);
  });

  it('sends what the flags say about all stores', async () => {
    expect((await user.run([...command, '--delete-data', '--replace-servers'])).code).toBe(0);
    expect(queryOf(accepted[0])).toMatchObject({ data: 'delete', servers: 'replace' });
    expect([changes().length, accepted.length]).toEqual([1, 1]);
  });

  it('sends what the flags say about each store, and keeps the others with --keep-data', async () => {
    const flags = ['--data', 'FilesA=delete', '--data', 'CacheA=delete', '--keep-data', '--replace-servers'];
    expect((await user.run([...command, ...flags])).code).toBe(0);
    expect(queryOf(accepted[0])).toMatchObject({ data: 'FilesA:delete,CacheA:delete,data-1:keep' });
  });
});

describe('the flags about data', () => {
  it.each([
    [['--keep-data', '--delete-data'], 'cannot be used together'],
    [['--delete-data', '--data', 'CacheA=keep'], 'cannot be used together'],
    [['--data', 'CacheA'], 'Invalid value for --data: "CacheA".'],
    [['--data', 'CacheA=lose'], 'Invalid value for --data: "CacheA=lose".'],
  ])('%j are refused before a request is sent', async (flags, message) => {
    const { code, stderr } = await user.run(['stack', 'cancel', 'mo-1', ...flags]);
    expect([code, server.calls]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  it('--keep-data does not confirm the loss of what the vendor cannot keep', async () => {
    const { code, stderr } = await user.run(['stack', 'cancel', 'mo-1', '--keep-data', '--replace-servers']);
    expect([code, accepted]).toEqual([7, []]);
    expect(stderr).toContain('Sentence about FilesA.');
    expect(stderr).not.toContain('Sentence about DatabaseA.');
  });
});

/** Answers each question on a terminal. */
async function onTerminal(args: readonly string[], ...answers: [question: string, text: string][]) {
  const session = new PtySession(user, args, {}, { cols: 200, rows: 50 });
  try {
    for (const [question, text] of answers) {
      await session.shows(question, 60);
      session.type(`${text}\r`);
    }
    return { code: await session.ended(60), seen: session.seen };
  } finally {
    session.close();
  }
}

const keepOrDelete = 'Type "keep" to go on and keep the data, or "delete" to go on and lose the data:';
const onlyDelete = 'Type "delete" to go on and lose the data:';
const replace = 'Type "replace" to go on and lose what is only on these disks:';

describe('a request that removes data, on a terminal', () => {
  it('shows the sentences, asks once for each kind of answer, and repeats the request with the answers', async () => {
    const { code, seen } = await onTerminal(
      ['stack', 'cancel', 'mo-1'],
      [keepOrDelete, 'keep'],
      [onlyDelete, 'delete'],
      [replace, 'replace'],
    );
    expect(code).toBe(0);
    for (const { sentence } of stores) expect(seen.split(sentence)).toHaveLength(2);
    expect(accepted.map(queryOf)).toEqual([
      { data: 'data-1:keep,data-2:keep,data-3:delete', servers: 'replace' },
    ]);
  });

  it('asks only about what the flags leave open', async () => {
    const { code, seen } = await onTerminal(
      ['stack', 'cancel', 'mo-1', '--keep-data'],
      [onlyDelete, 'delete'],
      [replace, 'replace'],
    );
    expect(code).toBe(0);
    expect(seen).not.toContain('Sentence about DatabaseA.');
    expect(accepted.map(queryOf)).toEqual([
      { data: 'data-3:delete,data-1:keep,data-2:keep', servers: 'replace' },
    ]);
  });

  it('changes nothing after another answer', async () => {
    const { code, seen } = await onTerminal(['stack', 'cancel', 'mo-1'], [keepOrDelete, 'yes']);
    expect([code, accepted]).toEqual([2, []]);
    expect(seen).toContain('Not confirmed; nothing was changed.');
  });

  it('asks nothing with --yes or --auto-approve, and changes nothing', async () => {
    for (const command of [
      ['stack', 'delete', 'mo-1', '--yes', ...v2],
      ['stack', 'update', 'mo-1', 'stack.json', '--auto-approve'],
    ]) {
      const { code, seen } = await onTerminal(command);
      expect([code, accepted]).toEqual([7, []]);
      expect(seen).not.toContain('Type "');
    }
  });
});
