import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../http.ts';
import { PeopleWorld } from '../people/world.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await PeopleWorld.start();
});
afterAll(() => world.close());

it('alm sign-in end-recent ends the API clients that alm sign-in recent lists, and needs a time', async () => {
  const { root } = world;
  const since = new Date().toISOString();
  const made = await root.json<Json>(['client', 'create', '--label', 'left behind', '--kind', 'owner']);
  const json = {
    client_id: made.client_id,
    client_secret: made.client_secret,
    grant_type: 'client_credentials',
  };
  const signIn = async () => (await world.served.server.call('POST', '/v2/access_token', { json })).status;
  expect(await signIn()).toBe(200);

  const { stdout } = await root.run(['sign-in', 'recent', '--since', since]);
  expect(stdout).toMatch(new RegExp(`clients +${String(made.client_id)} +left behind`));
  expect((await root.run(['sign-in', 'end-recent'])).code).toBe(2);

  expect(await root.json(['sign-in', 'end-recent', '--since', since])).toMatchObject({ clients: 1 });
  expect(await signIn()).toBe(401);
});
