import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { prepareNextKey } from '../../../src/operations/registry/keys/signing-keys.ts';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { basic, RegistryCaller } from './registry-caller.ts';

const clock = new VirtualClock(Date.UTC(2030, 0, 1, 0, 10));
const host = 'registry.test';
const almanac = useServedAlmanac({ clock, environment: { ALM_REGISTRY_URL: `https://${host}` } });
const registry = new RegistryCaller(almanac);

const withContainer = (container: object) => {
  const template = oneServer();
  const [layer] = template.configurations;
  return { ...template, configurations: [{ ...layer, flag: 'web', container }] };
};

const configOf = async (stackId: string, token?: string): Promise<Json> => {
  const query = `stack_id=${stackId}&flag=web`;
  const request = { token: token ?? (await almanac.stackToken(stackId)) };
  return (await almanac.call('GET', `/v3/alm/agent/config?${query}`, request)).body;
};
const loginOf = ({ container_registry_username, container_registry_password }: Json) => ({
  username: String(container_registry_username),
  password: String(container_registry_password),
});

describe('the configuration of an agent whose image is on the registry', () => {
  it('has a login that pulls the images of this stack only', async () => {
    const stackId = await almanac.applyTemplate(withContainer({ container_image: `${host}/root/shop:1` }));
    await almanac.applyTemplate(withContainer({ container_image: `${host}/root/other:1` }));
    const login = loginOf(await configOf(stackId));
    expect(login.username).toBe(stackId);
    expect(await registry.may(basic(login), 'root/shop', 'root/other')).toEqual(['root/shop:pull']);
    expect(loginOf(await configOf(stackId, await almanac.clientToken()))).toEqual(login);
  });

  it('has a login that stays the same for a while, and ends within an hour, also while the key is rotated', async () => {
    const stackId = await almanac.applyTemplate(withContainer({ container_image: `${host}/root/shop:1` }));
    const login = loginOf(await configOf(stackId));
    const works = async () => (await registry.get(basic(login))).status === 200;
    clock.advance(15 * 60_000);
    expect(loginOf(await configOf(stackId))).toEqual(login);
    await prepareNextKey(almanac.service);
    clock.advance(15 * 60_000);
    expect(loginOf(await configOf(stackId))).not.toEqual(login);
    expect(await works()).toBe(true);
    clock.advance(30 * 60_000);
    expect(await works()).toBe(false);
  });

  it('has a login that nobody can change for another stack or a longer time', async () => {
    const stackId = await almanac.applyTemplate(withContainer({ container_image: `${host}/root/shop:1` }));
    const otherId = await almanac.applyTemplate(withContainer({ container_image: `${host}/root/shop:1` }));
    const { username, password } = loginOf(await configOf(stackId));
    const [end, signature] = password.split(/-(.*)/s);
    const forged = [
      { username: otherId, password },
      { username, password: `${Number(end) + 60_000}-${signature}` },
      { username, password: `${end}-${'A'.repeat(43)}` },
      { username, password: '' },
    ];
    for (const login of forged) expect((await registry.get(basic(login))).status).toBe(401);
  });

  it('keeps the login of the template, and has none for images elsewhere and for users', async () => {
    const own = { container_registry_username: 'robot', container_registry_password: 'secret of robot' };
    const image = `${host}/root/shop:1`;
    const withLogin = await almanac.applyTemplate(withContainer({ container_image: image, ...own }));
    expect(loginOf(await configOf(withLogin))).toEqual({ username: 'robot', password: 'secret of robot' });
    const elsewhere = await almanac.applyTemplate(withContainer({ container_image: 'nginx:1' }));
    expect(await configOf(elsewhere)).not.toHaveProperty('container_registry_username');
    const stackId = await almanac.applyTemplate(withContainer({ container_image: image }));
    const shown = await configOf(stackId, await almanac.userToken());
    expect(shown).not.toHaveProperty('container_registry_password');
  });
});
