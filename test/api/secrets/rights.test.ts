import { beforeAll, describe, expect, it } from 'vitest';
import { allow, rolesOn } from '../access/role-statements.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const { userWith, master: owner } = rolesOn(almanac);

const template = (...secrets: string[]) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { availability_zone: 'ap-northeast-1a' },
      container: {
        container_image: 'shop/web:1',
        container_secrets: Object.fromEntries(secrets.map((name, index) => [`SECRET_${index}`, name])),
      },
    },
  ],
});

const set = (token: string, name: string, value = 'a value') =>
  almanac.call('PUT', `/v3/alm/secret/${name}`, { token, json: { value } });
const remove = (token: string, name: string) => almanac.call('DELETE', `/v3/alm/secret/${name}`, { token });
const create = (token: string, ...secrets: string[]) =>
  almanac.call('POST', '/v3/alm/template', { token, json: template(...secrets) });
const namesFor = async (token: string) =>
  (await almanac.call<{ name: string }[]>('GET', '/v3/alm/secret', { token })).body.map(({ name }) => name);

let master: string;
beforeAll(async () => {
  master = await almanac.userToken();
  for (const name of ['of-the-master', 'another']) await set(master, name);
});

describe('a user without a role', () => {
  it('uses, changes and deletes the secrets that it created, and no others', async () => {
    const { token } = await owner.makeUser('ann');
    expect((await set(token, 'of-ann')).status).toBe(200);
    expect((await create(token, 'of-ann')).status).toBe(201);
    expect((await create(token, 'of-the-master')).status).toBe(403);
    expect((await set(token, 'of-the-master')).status).toBe(403);
    expect((await remove(token, 'of-the-master')).status).toBe(403);
    expect(await namesFor(token)).toEqual(['another', 'of-ann', 'of-the-master']);
    expect((await set(token, 'of-ann-too')).status).toBe(200);
    expect((await remove(token, 'of-ann-too')).status).toBe(200);
  });
});

describe('a user with a role', () => {
  it('that names one secret uses that one only, and the refusal of others says what is missing', async () => {
    const { token } = await userWith(
      'bob',
      allow(['template:*', 'stack:*', 'cred:*', 'vendor:*']),
      allow(['secret:*'], ['mrn:alm:secret:of-the-master']),
    );
    expect((await create(token, 'of-the-master')).status).toBe(201);
    const refused = await create(token, 'of-the-master', 'another');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('secret:useSecret');
    expect(refused.text).toContain('mrn:alm:secret:another');
    expect(await namesFor(token)).toEqual(['of-the-master']);
    expect((await remove(token, 'another')).status).toBe(404);
  });

  it('that may update a stack keeps the secrets that the stack uses, and adds none', async () => {
    const { token } = await userWith('carl', allow(['template:*', 'stack:*', 'cred:*', 'vendor:*']));
    const stackId = await almanac.applyTemplate(template('of-the-master'));
    const update = (...secrets: string[]) =>
      almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: template(...secrets) });
    expect((await update('of-the-master')).status).toBe(202);
    expect((await update('of-the-master', 'another')).status).toBe(403);
  });
});

it('a secret of another account is neither listed nor usable, and its name is free', async () => {
  const other = await almanac.otherAccountToken();
  expect(await namesFor(other)).toEqual([]);
  expect((await create(other, 'of-the-master')).status).toBe(400);
  expect((await remove(other, 'of-the-master')).status).toBe(404);
  expect((await set(other, 'of-the-master')).status).toBe(200);
});

it.each(['9lives', 'a b', 'a/b', 'x'.repeat(129)])('the name %j is refused', async (name) => {
  expect((await set(master, encodeURIComponent(name))).status).toBe(400);
});
