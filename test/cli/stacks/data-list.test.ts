import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import type { Json } from '../../http.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { offeredTo, wordsOf } from '../args/offered.ts';
import { PtySession } from '../pty.ts';
import { withDatabase } from './with-database.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
/** A stack whose database was removed, with its data kept. */
let shop: string;
let kept: string;
let version: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  writeFileSync(join(root.home, 'plain.json'), JSON.stringify(oneServer(1)));
  writeFileSync(join(root.home, 'data.json'), JSON.stringify(withDatabase()));
  const made = await root.json([
    'stack',
    'create',
    'data.json',
    '--nickname',
    'shop',
    '--wait',
    '-f',
    'json',
  ]);
  shop = String(made.stack_id);
  version = String(made.version_id);
  kept = await removeDatabase();
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const stores = (...flags: string[]) => root.json<Json[]>(['data', 'list', ...flags, '--fmt', 'json']);

/** Removes the database of the stack and returns the id of what is kept. */
async function removeDatabase(): Promise<string> {
  const { code, stderr } = await root.run(['stack', 'update', shop, 'plain.json', '--keep-data', '--wait']);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return String((await stores('--stack', shop, '--state', 'kept'))[0]?.id);
}
const databases = () => stores('--stack', shop, '--kind', 'database', '--state', 'in_use');
const offered = offeredTo(() => root);

describe('alm data list', () => {
  it('shows every store with its stack, kind and state, and filters by stack, state and kind', async () => {
    const { stdout } = await root.run(['data', 'list']);
    const [header, ...rows] = stdout.trimEnd().split('\n');
    expect(header).toMatch(
      /^ID +STACK +STACK ID +KIND +NAME +STATE +SIZE +PROTECTED +SINCE +KEPT UNTIL +VENDOR ID$/,
    );
    expect(new Set(rows.map((row) => row.split(/ {5,}/)[3]))).toEqual(new Set(['database', 'disk']));
    expect(rows).toHaveLength(2);
    expect(rows.find((row) => row.startsWith(kept))).toMatch(/ shop +mo-\S+ +database +web0 +kept +20 GiB/);
    expect(await stores('--kind', 'disk')).toMatchObject([{ kind: 'disk', state: 'in_use' }]);
    expect(await stores('--state', 'kept')).toMatchObject([{ id: kept }]);
    expect(await stores('--stack', 'shop', '--kind', 'database')).toMatchObject([{ id: kept }]);
    expect(await stores('--stack', 'mo-none')).toEqual([]);
    expect(await stores('--stack', 'other')).toEqual([]);
  });

  it('finds what is kept of a deleted stack by its nickname', async () => {
    const made = await root.json([
      'stack',
      'create',
      'data.json',
      '--nickname',
      'old',
      '--wait',
      '-f',
      'json',
    ]);
    await root.run(['stack', 'delete', String(made.stack_id), '--yes', '--wait']);
    expect(await stores('--stack', 'old')).toMatchObject([
      { stack_id: made.stack_id, kind: 'database', state: 'kept' },
    ]);
  });
});

describe('alm data show', () => {
  it('shows where the data is kept and how to restore it', async () => {
    const { code, stdout } = await root.run(['data', 'show', kept]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^MEMBER +VALUE\nid +data-/);
    expect(stdout).toMatch(/\nstate +kept\n/);
    expect(stdout).toMatch(/\nkept_where +\S/);
    expect(stdout).toContain(`alm data restore --id ${kept}`);
    expect(await root.json(['data', 'show', kept, '--fmt', 'json'])).toMatchObject({
      id: kept,
      stack_id: shop,
    });
    expect((await root.run(['data', 'show', 'data-none'])).code).toBe(6);
  });
});

describe('alm data restore', () => {
  it('brings the data back into its stack, which a second time is refused', async () => {
    const { code, stdout } = await root.run(['data', 'restore', kept, '--wait']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stack_id: shop });
    expect(await databases()).toMatchObject([{ restored_from: kept }]);
    const again = await root.run(['data', 'restore', kept]);
    expect(again.code).toBe(7);
  });
});

describe('alm stack rollback to a version with a database that the stack no longer has', () => {
  const rollback = () => ['stack', 'rollback', shop, '--ver', version];

  it('previews with --preview-only what comes back, and changes nothing', async () => {
    await removeDatabase();
    const { code, stdout, stderr } = await root.run([...rollback(), '--preview-only']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/add +DatabaseInstanceweb0/);
    expect(stderr).toMatch(/DatabaseInstanceweb0 is made new and empty. Its last data is kept as data-/);
    expect(await databases()).toEqual([]);
  });

  it('is refused without --restore, and changes nothing', async () => {
    await removeDatabase();
    const { code, stderr } = await root.run(rollback());
    expect(code).toBe(7);
    expect(stderr).toContain('--restore latest');
    expect(await databases()).toEqual([]);
  });

  it.each([
    ['the data that was kept last', (newest: string) => ['latest', newest]],
    ['the data that --restore names', () => [kept, kept]],
    ['nothing', () => ['empty', null]],
  ] as const)('makes it from %s', async (_, choose) => {
    const [restore, source] = choose(await removeDatabase());
    expect((await root.run([...rollback(), '--restore', restore ?? '', '--wait'])).code).toBe(0);
    expect(await databases()).toMatchObject([{ restored_from: source }]);
  });
});

describe('alm data forget', () => {
  it('on a terminal forgets only after a yes, and off a terminal at once', async () => {
    const session = new PtySession(root, ['data', 'forget', kept]);
    await session.shows(`Forget ${kept}?`, 60);
    session.type('no\r');
    expect(await session.ended(60)).toBe(2);
    expect(await root.json(['data', 'show', kept, '--fmt', 'json'])).toMatchObject({ state: 'kept' });
    const { code, stdout, stderr } = await root.run(['data', 'forget', kept]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: kept, state: 'forgotten' });
    expect(stderr).toContain('It is not deleted at the vendor.');
    expect((await stores('--state', 'kept')).map(({ id }) => id)).not.toContain(kept);
    expect((await root.run(['data', 'forget', kept])).code).toBe(7);
  });
});

describe('completion of data', () => {
  it('offers ids of stores, kept ones for restore and forget, and the choices of --data and --restore', async () => {
    const ids = (found: readonly Json[]) => found.map(({ id }) => String(id));
    const keptIds = ids(await stores('--state', 'kept'));
    expect(wordsOf(await offered(['data', 'show', '']))).toEqual(ids(await stores()));
    expect(wordsOf(await offered(['data', 'forget', '']))).toEqual(keptIds);
    expect(wordsOf(await offered(['data', 'restore', '--id', '']))).toEqual(keptIds);
    expect(wordsOf(await offered(['data', 'list', '--state', 'k']))).toEqual(['kept']);
    expect(wordsOf(await offered(['data', 'list', '--stack', 'sh']))).toEqual(['shop']);
    const resource = String((await databases())[0]?.resource);
    expect(wordsOf(await offered(['stack', 'delete', 'shop', '--data', '']))).toEqual([
      `${resource}=keep`,
      `${resource}=delete`,
    ]);
    const [latest, empty, ...others] = wordsOf(await offered(['stack', 'rollback', 'shop', '--restore', '']));
    expect([latest, empty]).toEqual(['latest', 'empty']);
    expect(others).toEqual(ids(await stores('--stack', shop, '--state', 'kept')));
  });
});
