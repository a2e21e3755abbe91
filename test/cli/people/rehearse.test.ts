import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SignedIn } from './world.ts';
import { header, PeopleWorld, rowOf } from './world.ts';

let world: PeopleWorld;
let ann: SignedIn;
let stackId: string;
beforeAll(async () => {
  world = await PeopleWorld.start();
  stackId = await world.stack();
  ann = await world.newUser('ann');
  const scope = (...Statement: object[]): string => JSON.stringify({ Version: '2017-05-05', Statement });
  const all = { Effect: 'Allow', Action: ['stack:*'], Resource: ['*'] };
  world.write('all.json', scope(all));
  world.write('no-reading.json', scope(all, { ...all, Effect: 'Deny', Action: ['stack:describeStack'] }));
  const create = ['rbac', 'create', '--name', 'all', '--scope', 'all.json'];
  const { role_id: role } = (await world.root.json(create)) as { role_id: string };
  await world.root.json(['rbac', 'attach', '--user', 'ann', '--role-id', role]);
});
afterAll(() => world.close());

it('alm rbac explain tells whether a user may do something on a stack, and the statement that decides', async () => {
  const asked = ['rbac', 'explain', 'stack:deleteStack', '--user', 'ann', '--id', stackId];
  expect(await world.root.json([...asked, '--fmt', 'json'])).toMatchObject({
    decision: 'allowed',
    statement: 0,
    why: expect.stringContaining('Statement 0 of role "all"') as string,
  });
  const shown = await world.root.run(asked);
  expect(header(shown.stdout)).toEqual(['DECISION', 'ROLE ID', 'STATEMENT', 'WHY']);
  expect(rowOf(shown.stdout, 'allowed')).toBeDefined();
});

it('alm rbac explain decides by a draft, and needs a user or a draft', async () => {
  const asked = ['rbac', 'explain', '--action', 'stack:describeStack'];
  expect(await world.root.json([...asked, '--scope', 'no-reading.json', '--fmt', 'json'])).toMatchObject({
    decision: 'denied',
    statement: 1,
  });
  const neither = await world.root.run(asked);
  expect(neither).toMatchObject({ code: 2 });
  expect(neither.stderr).toContain('--user <name> or --scope <file> is required.');
});

it('alm rbac rehearse lists the past requests that a draft would refuse, and changes nothing', async () => {
  expect((await ann.run(['stack', 'describe', stackId])).code).toBe(0);
  const before = await world.get('/v3/role');
  const rehearse = ['rbac', 'rehearse', 'no-reading.json', '--user', 'ann', '--wide'];
  // A request is in the audit log a moment after its answer.
  await expect
    .poll(async () => (await world.root.run(rehearse)).stdout, { timeout: 10_000 })
    .toMatch(/stack:describeStack .*allowed +denied/);
  const { code, stderr } = await world.root.run(rehearse);
  expect(code).toBe(0);
  expect(stderr).toMatch(/[1-9]\d* of [1-9]\d* requests would be decided otherwise\./);
  expect(await world.get('/v3/role')).toEqual(before);
  expect((await ann.run(['stack', 'describe', stackId])).code).toBe(0);
});
