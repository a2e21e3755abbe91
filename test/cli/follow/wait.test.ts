import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AlmanacProcess, knownLogin } from '../../e2e/almanac-process.ts';
import { expireLeases, readSandboxWorld } from '../../e2e/behind-the-servers.ts';
import { eventually, type Json } from '../../http.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { AlmUser, firstStack } from '../alm.ts';
import { PtySession } from '../pty.ts';

const template = JSON.parse(readFileSync(firstStack, 'utf8')) as object;
/** A stack takes about two seconds. */
const settings = { ...knownLogin, ALM_SANDBOX_SPEED: '0.3' };

let place: TestPlace;
let server: AlmanacProcess;
let root: AlmUser;
/** A settled stack, shared by tests that need one. */
let settled: string;
const sessions: PtySession[] = [];

beforeAll(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place, settings);
  root = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: await server.userToken() });
  settled = await create();
  await server.waitFor(settled, 'CREATE_COMPLETE');
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
});
afterAll(async () => {
  await server.kill('SIGKILL');
  root.close();
  await place.remove();
});

const onTerminal = (args: string[], env = {}, cols = 100): PtySession => {
  const session = new PtySession(root, args, env, { cols, rows: 30 });
  sessions.push(session);
  return session;
};

const fault = (json: object) => server.call('POST', '/v3/sandbox/fault', { json });
const create = () => server.applyTemplate(template);
const types = ['t2.small', 't2.medium', 't2.large', 'm3.medium', 'm3.large', 'm3.xlarge', 'm4.large'];
/** A template with another instance type at every call, so that an update has something to do. */
const changed = (): string => JSON.stringify(template).replace('t2.micro', types.shift() ?? 'c4.large');
const update = async (stackId: string): Promise<void> => {
  const json = JSON.parse(changed()) as object;
  expect((await server.call('PUT', `/v3/alm/template/${stackId}?servers=replace`, { json })).status).toBe(
    202,
  );
};
const eventsOf = async (stackId: string): Promise<Json[]> =>
  (await server.call<Json[]>('GET', `/v3/alm/stack/${stackId}/events`)).body;
/** The event messages in the output, in order. */
const messagesIn = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => /^\[alm\]: \w+: \d\d:\d\d:\d\d /.test(line))
    .map((line) => line.replace(/^.*?\d\d:\d\d:\d\d (?:[A-Z_]+ +)?(?:\S+ \(\S+\) )?/, ''));
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controls = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/;

describe('waiting without a terminal', () => {
  it('prints a plain line for each event of the operation, and the outputs of the stack at the end', async () => {
    const stackId = await create();
    const { code, stdout, stderr } = await root.run(['stack', 'wait', stackId]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toMatch(controls);
    expect(messagesIn(stderr)).toEqual((await eventsOf(stackId)).map(({ message }) => message));
    expect(stderr).toMatch(
      new RegExp(
        `\\[alm\\]: info: Stack ${stackId} is CREATE_COMPLETE after \\d+ s\\.\\n {2}Address: [\\d.]+\\n$`,
      ),
    );
  });

  it('shows only events of the current operation', async () => {
    await update(settled);
    const { code, stderr } = await root.run(['stack', 'wait', settled]);
    expect(code).toBe(0);
    expect(messagesIn(stderr)[0]).toContain('asked to update the stack.');
    expect(stderr).toContain(`Stack ${settled} is UPDATE_COMPLETE after`);
    expect(stderr).not.toContain('CREATE_IN_PROGRESS root asked');
  });

  it('returns at once when no operation is in progress', async () => {
    const { code, stdout, stderr } = await root.run(['stack', 'wait', settled]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(
      new RegExp(`^\\[alm\\]: info: Stack ${settled} has no operation in progress; it is \\w+_COMPLETE.\\n$`),
    );
    expect((await root.run(['stack', 'wait', 'mo-none'])).code).toBe(6);
  });

  it('exits with 3 and the reason when the operation fails, during and after it', async () => {
    await fault({ kind: 'fail_resource', position: 3, reason: 'No more room on the \u001B[31mmoon.' });
    const stackId = await create();
    const { code, stderr } = await root.run(['stack', 'wait', stackId]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      new RegExp(`error: Stack ${stackId} is CREATE_FAILED after \\d+ s: .*on the .*moon`),
    );
    expect(stderr).not.toMatch(controls);
    const later = await root.run(['stack', 'wait', stackId]);
    expect(later.code).toBe(3);
    expect(later.stderr).toContain('CREATE_FAILED: ');
  });

  it('exits with 8 on timeout and shows how to resume', async () => {
    const stackId = await create();
    const { code, stderr } = await root.run(['stack', 'wait', stackId, '--wait-timeout', '1']);
    expect(code).toBe(8);
    expect(stderr).toContain(`Timed out after 1 s; stack ${stackId} is still in progress.`);
    expect(stderr).toContain(`→ Resume waiting: alm stack wait ${stackId}\n`);
    await server.waitFor(stackId, 'CREATE_COMPLETE');
  });

  it('waits for v2 stacks too', async () => {
    const configurations = { architecture: 'art_single', type: 't2.micro', image: 'library/nginx' };
    const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
    const { body } = await server.call('POST', '/v2/alm/stack', { json });
    const waited = await root.run(['stack', 'wait', String(body.stack_id), '--apiver', 'v2']);
    expect(waited.stderr).toContain('CREATE_COMPLETE after');
    expect(waited.code).toBe(0);
  });
});

describe('waiting during changes of other users', () => {
  it('succeeds for an awaited deletion and exits with 3 for an unexpected one', async () => {
    const stackId = await create();
    const waiting = onTerminal(['stack', 'wait', stackId]);
    await waiting.shows('VPC');
    const deleted = await root.run(['stack', 'delete', stackId, '--yes', '--wait']);
    expect(deleted.stderr).toContain('is DELETE_COMPLETE after');
    expect(deleted.code).toBe(0);
    expect(await waiting.ended()).toBe(3);
    expect(waiting.seen).toContain(`Stack ${stackId} was deleted before the operation completed`);
  });

  it('exits with 3 when another change replaces the awaited one', async () => {
    const session = onTerminal([
      'stack',
      'update',
      settled,
      '--alm-template',
      '-',
      '--auto-approve',
      '--replace-servers',
      '--wait',
    ]);
    session.type(`${changed()}\n\u0004`);
    await session.shows('Updating');
    expect((await server.call('POST', `/v3/alm/stack/${settled}/cancel?servers=replace`)).status).toBe(202);
    expect(await session.ended()).toBe(3);
    expect(session.seen).toContain('but without your change');
    expect(session.seen).toContain('root cancelled the update');
  });
});

describe('waiting on a terminal', () => {
  it('draws a row for each resource, narrower than the terminal, and ends with the name and the address', async () => {
    const stackId = await create();
    const nickname = String((await server.call('GET', `/v3/alm/stack/${stackId}`)).body['nickname']);
    const session = onTerminal(['stack', 'wait', stackId], {}, 50);
    await session.shows(`Creating ${nickname}`);
    expect(await session.ended()).toBe(0);
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    const plain = session.seen.replaceAll(/\u001B\[\??[\d;]*[a-zA-Z]/g, '');
    expect(session.seen).toContain('\u001B[32m✓');
    expect(plain).not.toContain('[alm]');
    const lines = plain.split(/[\r\n]+/);
    expect(
      Math.max(...lines.filter((line) => /^[✓⠋-⠿]/.test(line)).map(({ length }) => length)),
    ).toBeLessThan(50);
    const last = plain.slice(plain.lastIndexOf('Creating'));
    expect(last).toMatch(/✓ VPC +\d s/);
    expect(last).toMatch(
      new RegExp(`${nickname} is up after \\d+ s: [\\d.]+\\s+→ .*alm open '${nickname}'\\s*$`),
    );
  });

  it('stops waiting at Ctrl-C, leaves the operation running and shows how to resume', async () => {
    const stackId = await create();
    const session = onTerminal(['stack', 'wait', stackId]);
    await session.shows('Creating');
    session.type('\u0003');
    expect(await session.ended()).toBe(130);
    expect(session.seen).toContain(
      `Stopped waiting; the operation on stack ${stackId} continues on the server.`,
    );
    expect(session.seen).toContain(`→ Resume waiting: alm stack wait ${stackId}`);
    expect(session.seen).not.toContain('is up');
    await server.waitFor(stackId, 'CREATE_COMPLETE');
    expect((await readSandboxWorld(place)).get(stackId)).toContain('InstanceWeb01-0');
  });
});

describe('alm stack events', () => {
  it('prints a table or a JSON array', async () => {
    const table = await root.run(['stack', 'events', settled]);
    expect(table.stdout.split('\n')[0]).toMatch(/^EVENT {5}TIME +KIND +RESOURCE +TYPE +STATUS +MESSAGE$/);
    expect(table.stdout).toMatch(/^1 {9}\w{3}, .* \+0000 {5}request .*CREATE_IN_PROGRESS {5}root asked/m);
    const all = await eventsOf(settled);
    expect(await root.json(['stack', 'events', '--id', settled, '--fmt', 'json'])).toEqual(all);
    const later = await root.json(['stack', 'events', settled, '--after', '3', '--fmt', 'json']);
    expect(later).toEqual(all.slice(3));
  });

  it('follows events until Ctrl-C, with exit code 130', async () => {
    const session = onTerminal(['stack', 'events', settled, '--follow']);
    await session.shows('All requested resources are ready.');
    const times = (seen: string) => seen.split('asked to update the stack').length;
    const before = times(session.seen);
    await update(settled);
    await eventually(
      async () => session.seen,
      (seen) => times(seen) > before,
    );
    session.type('\u0003');
    expect(await session.ended()).toBe(130);
  });
});

describe('a server restart', () => {
  it('is survived by wait and by events --follow: they reconnect, and no event appears twice', async () => {
    const stackId = await create();
    const waiting = onTerminal(['stack', 'wait', stackId]);
    const following = onTerminal(['stack', 'events', stackId, '--follow', '--fmt', 'json']);
    await waiting.shows('VPC');
    await following.shows('"event_id":3,');
    const port = new URL(server.url).port;
    const token = server.userToken();
    await server.kill('SIGKILL');
    await waiting.shows('Connection lost: ');
    await expireLeases(place);
    server = await AlmanacProcess.serve(place, { ...settings, ALM_PORT: port });
    server.useToken(token);
    expect(await waiting.ended(20)).toBe(0);
    expect(waiting.seen).toContain('is up after');
    for (const text of ['Connection lost', 'Reconnected.'])
      expect(waiting.seen.split(text).length, text).toBe(2);
    await server.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    expect(await following.ended()).toBe(0);
    const ids = [...following.seen.matchAll(/^\{"event_id":(\d+),/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual((await eventsOf(stackId)).map(({ event_id: id }) => id));
  });
});
