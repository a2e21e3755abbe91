import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { withDatabase } from '../stacks/with-database.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const write = (name: string, members: object): string => {
  writeFileSync(join(root.home, name), JSON.stringify(members));
  return name;
};
const named = (name: string, servers = 1) => ({ name, ...oneServer(servers) });
const withImage = (name: string, image: string, more: object = {}) => {
  const { configurations, ...rest } = named(name);
  const container = { container_image: image, ...more };
  return { ...rest, configurations: configurations.map((layer) => Object.assign({}, layer, { container })) };
};
interface Up {
  stack_id: string;
  version_id: string;
  stack_status: string;
  nickname: string;
  rollouts: unknown[];
  instances: unknown[];
}
const up = (...args: string[]): Promise<Up> => root.json<Up>(['up', ...args, '--yes']);
const versionsOf = async (stackId: string) =>
  (await root.json<unknown[]>(['template', 'versions', stackId, '--fmt', 'json'])).length;

describe('alm up', () => {
  it('creates the stack of stack.yaml, updates it, and does nothing if nothing changed', async () => {
    write('stack.yaml', named('shop'));
    const made = await up();
    expect(made).toMatchObject({ nickname: 'shop', stack_status: 'CREATE_COMPLETE', rollouts: [] });
    expect(made.instances).toHaveLength(1);

    write('stack.yaml', named('shop', 2));
    const changed = await up();
    expect(changed).toMatchObject({ stack_id: made.stack_id, stack_status: 'UPDATE_COMPLETE' });
    expect(changed.instances).toHaveLength(2);

    const again = await root.run(['up', '--yes']);
    expect(again.stderr).toContain('Nothing to change: shop has this template.');
    expect([again.code, (JSON.parse(again.stdout) as Up).version_id]).toEqual([0, changed.version_id]);
    expect(await versionsOf(made.stack_id)).toBe(2);
  });

  it('shows the old and new values, and how many resources change', async () => {
    const file = write('values.json', withImage('values', 'httpd:2.4'));
    await up(file);
    write('values.json', withImage('values', 'httpd:2.5', { container_ports: [80] }));
    const { code, stderr } = await root.run(['up', file, '--yes']);
    expect(code).toBe(0);
    expect(stderr).toContain('Update values: 1 resource to change.');
    expect(stderr).toMatch(/container\/container_image: httpd:2\.4 → httpd:2\.5/);
    expect(stderr).toMatch(/container\/container_ports.*: new: /);
  });

  it('applies a template again whose secrets nobody can compare', async () => {
    const file = write('secret.json', withImage('secret', 'httpd:2.4', { container_git_private_key: 'one' }));
    const { stack_id: id } = await up(file);
    write('secret.json', withImage('secret', 'httpd:2.4', { container_git_private_key: 'two' }));
    await up(file);
    expect(await versionsOf(id)).toBe(2);
  });

  it('takes the name from --name, and refuses a template without one and a name that looks like an id', async () => {
    const file = write('nameless.json', oneServer());
    const { code, stderr } = await root.run(['up', file, '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('name: shop')]);
    expect((await root.run(['up', file, '--name', 'mo-shop', '--yes'])).code).toBe(2);
    expect(await up(file, '--name', 'here')).toMatchObject({ nickname: 'here' });
    expect(await up(file, '--name', 'here')).toMatchObject({ stack_status: 'CREATE_COMPLETE' });
  });

  it('refuses if two stacks have the name, or a stack of API v2, and changes nothing', async () => {
    const token = await almanac.userToken();
    const create = (query: string) =>
      almanac.call('POST', `/v3/alm/template${query}`, { token, json: oneServer() });
    await create('?nickname=two');
    await create('?nickname=two');
    expect(await root.run(['up', write('two.json', named('two')), '--yes'])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('2 stacks have the nickname "two"'),
    });
    const json = {
      cred: 'SANDBOX',
      region: 'ap-northeast-1',
      configurations: { architecture: 'art_single', type: 't2.micro', nickname: 'old' },
    };
    await almanac.call('POST', '/v2/alm/stack', { token, json });
    expect(await root.run(['up', write('old.json', named('old')), '--yes'])).toMatchObject({ code: 7 });
  });

  it('without a template in the directory says what to do, and points at the place of a mistake in one', async () => {
    const empty = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
    expect(await empty.run(['up'])).toMatchObject({ code: 2, stderr: expect.stringContaining('alm init') });
    empty.close();
    writeFileSync(join(root.home, 'broken.yaml'), 'name: shop\n  version: [\n');
    expect(await root.run(['up', 'broken.yaml'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/broken\.yaml:\d+:\d+:/),
    });
  });

  it('without a terminal does not remove data unless a flag says what becomes of it', async () => {
    const file = write('data.json', { name: 'data', ...withDatabase() });
    const { version_id: before } = await up(file);
    write('data.json', named('data'));
    expect(await root.run(['up', file])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('--keep-data'),
    });
    const { stack_id: id, version_id: after } = await up(file, '--keep-data');
    expect(after).not.toBe(before);
    expect(
      await root.json(['data', 'list', '--stack', id, '--kind', 'database', '--fmt', 'json']),
    ).toMatchObject([{ state: 'kept' }]);
  });

  it('with --wait=false prints the response of the service', async () => {
    const file = write('soon.json', named('soon'));
    const { stdout } = await root.run(['up', file, '--yes', '--wait=false']);
    expect(JSON.parse(stdout)).toMatchObject({ stack_status: 'CREATE_IN_PROGRESS' });
  });
});

describe('alm up on a terminal', () => {
  it('asks before it changes anything, then draws, and ends with the name, the address and the next command', async () => {
    const file = write('asked.json', named('asked'));
    const refused = new PtySession(root, ['up', file], {}, { cols: 80, rows: 24 });
    await refused.shows('Create asked?');
    refused.type('no\r');
    expect(await refused.ended()).toBe(2);
    const session = new PtySession(root, ['up', file], {}, { cols: 80, rows: 24 });
    await session.shows('Create asked?');
    session.type('yes\r');
    expect(await session.ended(30)).toBe(0);
    expect(session.seen).toMatch(/Create asked: \d+ resources to add\./);
    expect(session.seen).toMatch(/asked is up after \d+ s: [\d.]+ — .*alm open asked/);
    expect(session.seen).not.toContain('"stack_id"');
    const { body } = await almanac.call<unknown[]>('GET', '/v3/alm/stack?nickname=asked&view=summary', {
      token: await almanac.userToken(),
    });
    expect(body).toHaveLength(1);
  });
});

describe('alm stack create', () => {
  it('refuses the name of another stack and names alm up, unless --another is given', async () => {
    const file = write('again.json', oneServer());
    const create = (...more: string[]) => root.run(['stack', 'create', file, '--nickname', 'again', ...more]);
    expect((await create()).code).toBe(0);
    expect(await create()).toMatchObject({ code: 7, stderr: expect.stringContaining('alm up') });
    expect((await create('--another')).code).toBe(0);
  });
});
