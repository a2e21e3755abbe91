import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/basics/config.ts';

const urlsOf = (ALM_OPENSTACK_AUTH_URLS: string) =>
  readConfig({ ALM_OPENSTACK_AUTH_URLS }).openStack.authUrls.openstack.urls;

describe('the addresses of OpenStack clouds', () => {
  it('by default there are none', () => {
    const { openStack } = readConfig({});
    expect(openStack).toMatchObject({
      pollSeconds: 5,
      authUrls: { openstack: { urls: [] }, k5: { urls: [] } },
    });
  });

  it('several ways to write one address are one address', () => {
    expect(
      urlsOf(
        'https://Cloud.example:443/v3/, https://cloud.example , http://b.example:5000//,https://c.example/identity/v3',
      ),
    ).toEqual(['https://cloud.example', 'http://b.example:5000', 'https://c.example/identity']);
  });

  it('K5 has a list of its own', () => {
    const { k5, openstack } = readConfig({ ALM_K5_AUTH_URLS: 'https://identity.jp-east-1.example/v3' })
      .openStack.authUrls;
    expect(k5).toEqual({
      setting: 'ALM_K5_AUTH_URLS',
      urls: ['https://identity.jp-east-1.example'],
      moved: new Map(),
    });
    expect(openstack.urls).toEqual([]);
  });

  it('an earlier address of a cloud is written before the one of today', () => {
    const { urls, moved } = readConfig({
      ALM_OPENSTACK_AUTH_URLS:
        'https://old.example/v3=https://new.example/v3,https://older.example=https://new.example',
    }).openStack.authUrls.openstack;
    expect(urls).toEqual(['https://new.example']);
    expect([...moved]).toEqual([
      ['https://old.example', 'https://new.example'],
      ['https://older.example', 'https://new.example'],
    ]);
  });

  it.each([
    ['is listed as well', 'https://a.example=https://b.example,https://a.example'],
    ['has two new ones', 'https://a.example=https://b.example,https://a.example=https://c.example'],
    ['is that of today', 'https://a.example=https://a.example/v3'],
  ])('an earlier address that %s is rejected at the start', (_, text) => {
    expect(() => urlsOf(text)).toThrow(
      'ALM_OPENSTACK_AUTH_URLS: https://a.example cannot be an earlier address',
    );
  });

  it.each([
    ['another protocol', 'ftp://cloud.example'],
    ['no protocol', 'cloud.example:5000'],
    ['a password', 'https://user:hush@cloud.example'],
    ['a query', 'https://cloud.example/?token=hush'],
    ['a fragment', 'https://cloud.example/#hush'],
    ['a password in the earlier address', 'https://user:hush@cloud.example=https://cloud.example'],
  ])('an address with %s is rejected at the start, and not quoted', (_, text) => {
    const read = () => urlsOf(`https://good.example,${text}`);
    expect(read).toThrow(/^ALM_OPENSTACK_AUTH_URLS must be .*Entry 2 is not\.$/);
    expect(read).not.toThrow(/hush/);
  });
});
