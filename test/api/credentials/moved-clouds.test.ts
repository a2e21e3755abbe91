import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { elsewhere, useClouds } from './auth-urls-world.ts';

const { almanac, caller, save, serveWith, stackWith, submit, urlOf, address, calls } = useClouds();

describe('a cloud is no longer listed', () => {
  it('it is not called again; its stacks say so, and cannot be moved to another cloud with their credential', async () => {
    await serveWith(address(), elsewhere);
    await save('moved@Default/shop', address());
    const stackId = await stackWith('moved@Default/shop');
    await serveWith(elsewhere);
    const before = calls();
    const rejected = await submit({ cred: 'moved@Default/shop' });
    expect(rejected.status).toBe(400);
    expect(rejected.body.message).toMatch(/vendor\/openstack\/cred: .* lists in ALM_OPENSTACK_AUTH_URLS: /);
    expect(rejected.body.message).toContain('another id');
    const updated = await caller.call('PUT', `/v3/alm/template/${stackId}`, { json: oneServer(2) });
    expect([updated.status, updated.body.message]).toEqual([
      502,
      expect.stringContaining('lists in ALM_OPENSTACK_AUTH_URLS'),
    ]);
    await almanac.service.database.query.updateTable('stacks').set({ next_at: 0 }).execute();
    const events = async () => (await caller.call('GET', `/v3/alm/stack/${stackId}/events`)).text;
    await expect.poll(events, { timeout: 10_000 }).toContain('ALM_OPENSTACK_AUTH_URLS');
    expect(calls()).toBe(before);
    for (const url of [elsewhere, undefined]) {
      const answer = await save('moved@Default/shop', url);
      expect(answer.status).toBe(409);
      expect(answer.body.description).toContain(`in the cloud at ${address()}`);
      expect(answer.body.description).toContain('another id');
      expect(answer.body.description).toContain(`${address()}=`);
    }
    expect(await urlOf('moved@Default/shop')).toMatchObject({ authUrl: address() });
  });

  it('also without any other cloud in the list, saving the credential again does not forget its cloud', async () => {
    await serveWith();
    const answer = await save('moved@Default/shop');
    expect(answer.status).toBe(409);
    expect(await urlOf('moved@Default/shop')).toMatchObject({ authUrl: address() });
  });

  it('a credential without stacks may be saved for another cloud', async () => {
    await serveWith(address());
    await save('free@Default/shop');
    await serveWith(elsewhere);
    expect((await save('free@Default/shop')).status).toBe(200);
    expect(await urlOf('free@Default/shop')).toMatchObject({ authUrl: elsewhere });
  });
});

describe('the operator says that a cloud has a new address', () => {
  it('its credentials lead there, and may be saved again with it while stacks use them', async () => {
    await serveWith(elsewhere);
    await save('renamed@Default/shop');
    await stackWith('renamed@Default/shop');
    await serveWith(`${elsewhere}/v3=${address()}/v3`, 'http://127.0.0.1:2');
    const before = calls();
    const answer = await submit({ cred: 'renamed@Default/shop' });
    expect([answer.status, answer.body.message]).toEqual([
      502,
      expect.stringContaining('The cloud does not know the user'),
    ]);
    expect(calls()).toBeGreaterThan(before);
    expect((await save('renamed@Default/shop', 'http://127.0.0.1:2')).status).toBe(409);
    for (const url of [elsewhere, address()]) {
      expect((await save('renamed@Default/shop', url)).status).toBe(200);
      expect(await urlOf('renamed@Default/shop')).toMatchObject({ authUrl: address() });
    }
  });
});
