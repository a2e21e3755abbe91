import { expect, it } from 'vitest';
import { useSingleSignOn } from '../../openid/sso.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { basic, RegistryCaller } from './registry-caller.ts';

const sso = useSingleSignOn();
const keep = async (repository: string): Promise<void> => {
  const { almanac } = sso;
  const { account_id } = await almanac.service.database.query
    .selectFrom('users')
    .select('account_id')
    .executeTakeFirstOrThrow();
  await new RegistryCaller(almanac).setVisibility(repository, account_id, 'private');
};
const create = (username: string, query = '') =>
  new AccessCaller(sso.almanac).call('POST', `/v3/user${query}`, {
    json: { username, password: `password of ${username}` },
  });

it('the master gives a new user the repositories that are in its namespace only on purpose', async () => {
  await keep('ann/shop');
  const refused = await create('ann');
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('ann/shop');
  expect(refused.text).toContain('take_repositories=true');
  expect((await create('ann', '?take_repositories=true')).status).toBe(200);
  const login = basic({ username: 'ann', password: 'password of ann' });
  expect(await new RegistryCaller(sso.almanac).may(login, 'ann/shop')).toHaveLength(1);
});

it('a name that only resembles the namespace is free', async () => {
  await keep('be_a/shop');
  await keep('bea2/shop');
  for (const name of ['bexa', 'bea']) expect((await create(name)).status).toBe(200);
});

it('nobody takes the repositories of a deleted user by the name at the provider', async () => {
  await keep('carl/shop');
  const carl = { sub: 'person-1', preferred_username: 'carl', groups: [] };
  expect((await sso.signIn(carl)).error).toContain('carl/shop');
  expect((await create('carl', '?take_repositories=true')).status).toBe(200);
});
