import { beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '../../../src/operations/registry/images/sync.ts';
import { useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry({ ALM_REGISTRY_TIMEOUT: '3' });

beforeEach(() => {
  registry().mood = 'well';
  registry().repositories.clear();
  registry().push('root/shop', '1');
});

const calls = {
  describe: () => images.describe('root/shop'),
  tags: () => images.tags('root/shop'),
  'preview of a deletion': () => images.preview('root/shop:1'),
  deletion: () => images.delete('root/shop:1'),
};

describe.each(Object.entries(calls))('%s, with a stand-in for the registry', (_, call) => {
  it.each([
    ['garbage', /gave an answer that is not usable \(no list of tags/],
    ['elsewhere', /gave an answer that is not usable \(status 404 for GET/],
    ['broken', /gave an answer that is not usable \(status 500 for GET/],
    ['rejects tokens', /rejects the token of this server \(invalid_token\)/],
  ] as const)('fails with 502 that names the registry and the reason, if it is %s', async (mood, reason) => {
    registry().mood = mood;
    const answer = await call();
    expect(answer.status).toBe(502);
    expect(answer.body).toMatchObject({ message: expect.stringMatching(reason) });
    expect(answer.text).toContain(registry().url);
  });
});

describe('a registry that does not answer, with a stand-in for it', () => {
  it('gives 502 that names it, after its time limit', async () => {
    await images.tags('root/shop');
    registry().mood = 'slow';
    const started = performance.now();
    const answers = await Promise.all(Object.values(calls).map((call) => call()));
    // The limit is 3 s; the rest is for a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '5']);
      expect(answer.body).toMatchObject({
        error: 'registry_trouble',
        message: `The registry at ${registry().url} does not answer (no complete answer within 3 s)`,
      });
    }
  });
});

describe('a web server at the address of the registry, in a stand-in for it', () => {
  it('cannot make Almanac forget who pushed an image, or what its repository is for', async () => {
    const digest = registry().push('root/shop', '1');
    const target = { repository: 'root/shop', tag: '1', digest, mediaType: 'manifest' };
    await images.notify([{ action: 'push', target, actor: { name: 'ann' } }]);
    await images.setDescription('root/shop', 'kept');
    registry().mood = 'elsewhere';
    for (const call of [images.describe, images.delete]) expect((await call('root/shop')).status).toBe(502);
    await expect(syncRegistry(almanac.service)).rejects.toThrow(/status 404/);
    registry().mood = 'well';
    expect((await images.describe('root/shop')).body[0]).toMatchObject({
      description: 'kept',
      tags: { '1': { digest, pushed_by: 'ann' } },
    });
  });
});

describe('the list, with a stand-in for the registry', () => {
  it('is shown even while the registry does not answer', async () => {
    await images.describe('root/shop');
    registry().mood = 'slow';
    expect(await images.names()).toEqual(['root/shop']);
  });
});

describe('a registry that is down (a stand-in that was stopped)', () => {
  it('gives 502 at once, with its address, and announcements are accepted', async () => {
    const { url } = registry();
    await registry().stop();
    for (const call of Object.values(calls)) {
      const answer = await call();
      expect(answer.status).toBe(502);
      expect(answer.body).toMatchObject({ message: `The registry at ${url} does not answer (ECONNREFUSED)` });
    }
    const digest = `sha256:${'0'.repeat(64)}`;
    const target = { repository: 'root/shop', tag: '1', digest, mediaType: 'manifest' };
    // It is read when the registry answers again.
    expect((await images.announce([{ action: 'push', target }])).status).toBe(202);
  });
});
