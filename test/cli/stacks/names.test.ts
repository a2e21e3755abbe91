import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
let shop: string;
let twins: string[];
const create = (nickname: string) => almanac.applyTemplate({ ...oneServer(1), nickname });

beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  shop = await create('shop');
  twins = [await create('twin'), await create('twin')];
  for (const id of [shop, ...twins]) await almanac.waitFor(id, 'CREATE_COMPLETE');
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const stackFile = (): string => join(root.home, '.alm-stack');
const requestsOf = (stderr: string): string[] =>
  [...stderr.matchAll(/\[URL\] (\S+)/g)].map((found) => new URL(found[1] ?? '').pathname);

describe('a nickname in place of an id', () => {
  it('names the only stack of that name, with one more request, and an id takes none', async () => {
    const named = await root.run(['stack', 'describe', 'shop', '--fmt', 'json', '--verbose']);
    expect(JSON.parse(named.stdout)).toMatchObject({ stack_id: shop, nickname: 'shop' });
    expect(requestsOf(named.stderr)).toEqual(['/v3/alm/stack', `/v3/alm/stack/${shop}`]);
    const byId = await root.run(['stack', 'describe', shop, '--fmt', 'json', '--verbose']);
    expect(requestsOf(byId.stderr)).toEqual([`/v3/alm/stack/${shop}`]);
  });

  it('works for every flag that takes a stack: versions, comparison, permissions, logs, events', async () => {
    for (const args of [
      ['template', 'versions', 'shop'],
      [
        'template',
        'compare',
        '--src-sid',
        'shop',
        '--src-vid',
        'latest',
        '--tgt-sid',
        shop,
        '--tgt-vid',
        'latest',
      ],
      ['whoami', '--permissions', '--stack', 'shop'],
      ['stack', 'events', '--id', 'shop'],
    ])
      expect(await root.run(args), args.join(' ')).toMatchObject({ code: 0 });
    const executed = await root.run(
      ['stack', 'exec', '--target', 'shop|:Web01', '--script', '-', '-f', 'json'],
      {
        input: 'true',
      },
    );
    expect(JSON.parse(executed.stdout)[0]).toMatchObject({ target: 'shop|:Web01', stack_id: shop });
  });

  it('of several stacks changes nothing and lists them with their ids', async () => {
    const { code, stdout, stderr } = await root.run(['stack', 'delete', 'twin']);
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain('2 stacks have the nickname "twin".');
    for (const id of twins) expect(stderr).toContain(id);
    for (const id of twins) expect((await almanac.describe(id)).stack_status).toBe('CREATE_COMPLETE');
  });

  it('that no stack has is not found, and neither is an empty one', async () => {
    expect(await root.run(['stack', 'describe', 'shopp'])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Stack shopp does not exist: no stack has this id or nickname.'),
    });
    expect(await root.run(['stack', 'describe', '--id', ''])).toMatchObject({ code: 2 });
  });

  it('names a stack of the API version in use before one of the other version', async () => {
    const env = { ALM_API_VERSION: 'v2' };
    const flags = [
      '--cred',
      'SANDBOX',
      '--vendor',
      'sandbox',
      '--nickname',
      'shop',
      '--wait',
      '--fmt',
      'json',
    ];
    const old = await root.json(['stack', 'create', ...flags], { env });
    expect(await root.json(['stack', 'describe', 'shop', '--fmt', 'json'])).toMatchObject({ stack_id: shop });
    expect(await root.json(['stack', 'describe', 'shop', '--fmt', 'json'], { env })).toMatchObject([
      { stack_id: old.stack_id },
    ]);
    expect(await root.run(['stack', 'delete', 'shop', '--wait'], { env })).toMatchObject({ code: 0 });
    expect((await almanac.describe(shop)).stack_status).toBe('CREATE_COMPLETE');
  });
});

describe('alm use', () => {
  afterEach(() => rmSync(stackFile(), { force: true }));

  it('sets the stack of a directory, which commands without a stack use and name on standard error', async () => {
    expect(await root.run(['use', 'shop'])).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(stackFile(), 'utf8')).toBe(`${shop} v3 shop\n`);
    const used = await root.run(['stack', 'describe', '--fmt', 'json', '--verbose']);
    expect(JSON.parse(used.stdout)).toMatchObject({ stack_id: shop });
    expect(used.stderr).toContain(`Using stack shop (${shop}), the default of this directory.`);
    expect(requestsOf(used.stderr)).toEqual([`/v3/alm/stack/${shop}`]);
    expect(await root.run(['container', 'list'])).toMatchObject({ code: 0 });
    expect(await root.json(['use', '--fmt', 'json'])).toEqual({
      stack_id: shop,
      nickname: 'shop',
      api_version: 'v3',
      from: 'directory',
    });
    expect(await root.run(['use', '--clear'])).toMatchObject({ code: 0 });
    expect(existsSync(stackFile())).toBe(false);
    expect(await root.run(['stack', 'describe'])).toMatchObject({ code: 2 });
  });

  it('is never the stack that a deletion without a stack deletes', async () => {
    await root.run(['use', 'shop']);
    for (const flags of [[], ['--yes'], ['--id', '']]) {
      const { code, stderr } = await root.run(['stack', 'delete', ...flags]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('name the stack')]);
    }
    expect((await almanac.describe(shop)).stack_status).toBe('CREATE_COMPLETE');
  });

  it('sets the stack of a profile, which that of the directory precedes', async () => {
    const user = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
    const [first = '', second = ''] = twins;
    await user.run(['use', first, '--for-profile']);
    expect(await user.json(['use', '--fmt', 'json'])).toMatchObject({ stack_id: first, from: 'profile' });
    await user.run(['use', second]);
    expect(await user.json(['stack', 'describe', '--fmt', 'json'])).toMatchObject({ stack_id: second });
    await user.run(['use', '--clear']);
    await user.run(['use', '--clear', '--for-profile']);
    expect(await user.json(['use', '--fmt', 'json'])).toBeNull();
    user.close();
  });

  it('rejects a stack that does not exist, a name of several stacks, and an unreadable file', async () => {
    expect(await root.run(['use', 'nothing'])).toMatchObject({ code: 6 });
    expect(await root.run(['use', 'twin'])).toMatchObject({ code: 7 });
    expect(existsSync(stackFile())).toBe(false);
    writeFileSync(stackFile(), 'shop\n');
    expect(await root.run(['stack', 'describe'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('alm use --clear'),
    });
    expect(await root.run(['stack', 'describe', shop])).toMatchObject({ code: 0 });
  });
});
