import { beforeAll, describe, expect, it } from 'vitest';
import { readMeta } from '../../../src/store/database/meta.ts';
import { oneServer } from '../../world.ts';
import { AccessCaller, type MadeUser } from '../access/access-caller.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from '../sign-in/personal-token-caller.ts';
import { RegistryCaller } from './registry-caller.ts';

const host = 'registry.test:5000';
const almanac = useServedAlmanac({ environment: { ALM_REGISTRY_URL: `https://${host}` } });
const caller = new AccessCaller(almanac);
const registry = new RegistryCaller(almanac);

let ann: MadeUser;
let eve: MadeUser;
beforeAll(async () => {
  ann = await caller.makeUser('ann');
  eve = await caller.makeUser('eve');
});

const running = (image: string, more: object = {}) => {
  const template = oneServer();
  const configurations = template.configurations.map((layer) => ({
    ...layer,
    container: { container_image: `${host}/${image}`, ...more },
  }));
  return { ...template, configurations };
};

const create = (user: MadeUser, json: object) =>
  almanac.call('POST', '/v3/alm/template', { token: user.token, json });
const update = (stackId: string, json: object, token?: string) =>
  almanac.call('PUT', `/v3/alm/template/${stackId}`, { json, ...(token ? { token } : {}) });

describe('a document that names images of the registry', () => {
  it('is refused if its sender may not pull one of them, because the agents would pull it for the sender', async () => {
    const refused = await create(eve, running('ann/shop:1'));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('registry:pull on mrn:registry:ann/shop');
    expect((await create(ann, running('ann/shop:1'))).status).toBe(201);
  });

  it('is refused in an update too, but not for what the stack runs already', async () => {
    const stackId = await almanac.applyTemplate(running('eve/app:1'), eve.token);
    expect((await update(stackId, running('ann/shop:1'), eve.token)).status).toBe(403);
    expect((await update(stackId, running('ann/shop:1'), await almanac.userToken())).status).toBe(202);
    expect((await update(stackId, running('ann/shop:2'), eve.token)).status).toBe(202);
  });

  it('is accepted if they are public, and its agents have no right once they are private', async () => {
    const accountId = (await readMeta(almanac.service.database.query, 'first_account')) ?? '';
    await registry.setVisibility('ann/open', accountId, 'public');
    const stackId = await almanac.applyTemplate(running('ann/open:1'), eve.token);
    const agent = { token: await almanac.stackToken(stackId) };
    expect(await registry.may(agent, 'ann/open')).toEqual(['ann/open:pull']);
    await registry.setVisibility('ann/open', accountId, 'private');
    expect(await registry.may(agent, 'ann/open')).toEqual([]);
  });

  it('that was accepted while there was no registry gives its agents no right once there is one', async () => {
    const settings = almanac.service.settings.registry;
    const { url } = settings;
    settings.url = '';
    const stackId = await almanac.applyTemplate(running('ann/shop:1'), eve.token);
    settings.url = url;
    expect(await registry.may({ token: await almanac.stackToken(stackId) }, 'ann/shop')).toEqual([]);
  });

  it('that was accepted while there was no registry gives its agents the rights that its sender has once there is one', async () => {
    const settings = almanac.service.settings.registry;
    const { url } = settings;
    settings.url = '';
    const stackId = await almanac.applyTemplate(running('ann/shop:1'), ann.token);
    settings.url = url;
    const agent = { token: await almanac.stackToken(stackId) };
    expect(await registry.may(agent, 'ann/shop', 'ann/other', 'eve/app')).toEqual(['ann/shop:pull']);
  });

  it('that was accepted while there was no registry with a limited token gives its agents no more than the token allows', async () => {
    const settings = almanac.service.settings.registry;
    const { url } = settings;
    const scope = JSON.stringify({
      Version: '2017-05-05',
      Statement: [
        { Effect: 'Allow', Action: ['stack:*', 'template:*', 'cred:*', 'vendor:*'], Resource: ['*'] },
        { Effect: 'Allow', Action: ['registry:pull'], Resource: ['mrn:registry:ann/shop'] },
      ],
    });
    const { token } = await new PersonalTokens(caller).made(ann, { scope });
    settings.url = '';
    const [allowed, other] = [
      await almanac.applyTemplate(running('ann/shop:1'), token),
      await almanac.applyTemplate(running('ann/other:1'), token),
    ];
    settings.url = url;
    expect(await registry.may({ token: await almanac.stackToken(allowed) }, 'ann/shop')).toEqual([
      'ann/shop:pull',
    ]);
    expect(await registry.may({ token: await almanac.stackToken(other) }, 'ann/other')).toEqual([]);
  });

  it('is accepted with a registry user for the container, and its agents get no right of their own then', async () => {
    const user = { container_registry_username: 'eve', container_registry_password: 'a-password' };
    const stackId = await almanac.applyTemplate(running('ann/shop:1', user), eve.token);
    expect(await registry.may({ token: await almanac.stackToken(stackId) }, 'ann/shop')).toEqual([]);
  });
});
