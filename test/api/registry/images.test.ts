import { beforeEach, describe, expect, it } from 'vitest';
import { aTime } from '../access/access-caller.ts';
import { allow, deny, rolesOn } from '../access/role-statements.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { ImageCaller, useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();
const roles = rolesOn(almanac);

beforeEach(() => registry().repositories.clear());

describe('repositories and images, with a stand-in for the registry', () => {
  it('describes a repository with the digest, size and platforms of each tag, as existing clients read it', async () => {
    const digest = registry().pushIndex('root/shop', '1.4', ['linux/amd64', 'linux/arm64']);
    registry().push('root/shop', 'old', { layer: 'x'.repeat(500) });
    const answer = await images.describe('root/shop');
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(1);
    const [found] = answer.body;
    expect(found).toMatchObject({
      repository: 'root/shop',
      image: `${new URL(registry().url).host}/root/shop`,
      visibility: 'private',
      description: '',
      tag_count: 2,
      created_at: expect.stringMatching(aTime),
      actions: ['pull', 'push', 'delete'],
    });
    expect(found?.tags['1.4']).toMatchObject({
      digest,
      platforms: ['linux/amd64', 'linux/arm64'],
      stacks: [],
    });
    const sizes = Object.values(found?.tags ?? {}).map(({ size }) => Number(size));
    expect(found?.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it('lists the tags by name, with the path of existing clients, on both versions', async () => {
    for (const tag of ['b', 'a', 'c']) registry().push('root/shop', tag);
    const token = await almanac.userToken();
    for (const version of ['v2', 'v3']) {
      const path = `/${version}/alm/registry/imagetags?account_id=root&image_id=root/shop`;
      const answer = await almanac.call('GET', path, { token });
      expect(answer.body).toEqual({ name: 'root/shop', tags: ['a', 'b', 'c'] });
    }
  });

  it('corrects its index when a repository is described', async () => {
    registry().push('root/healed', '1');
    registry().push('root/healed', '2');
    await images.describe('root/healed');
    registry().repositories.get('root/healed')?.tags.delete('1');
    const digest = registry().push('root/healed', '2', { layer: 'newer' });
    const [found] = (await images.describe('root/healed')).body;
    expect(Object.keys(found?.tags ?? {})).toEqual(['2']);
    expect(found?.tags['2']?.digest).toBe(digest);
    expect(await images.names()).toContain('root/healed');
    registry().repositories.clear();
    expect((await images.describe('root/healed')).status).toBe(404);
    expect(await images.names()).not.toContain('root/healed');
  });

  it('lists repositories page by page, by name', async () => {
    for (const name of ['root/p1', 'root/p2', 'root/p3']) {
      registry().push(name, '1');
      await images.describe(name);
    }
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor === null ? {} : { cursor }) };
      const page = await images.call<{ repository: string }[]>('GET', '', query);
      expect(page.body.length).toBeLessThanOrEqual(2);
      seen.push(...page.body.map(({ repository }) => repository));
      cursor = page.headers.get('x-next-cursor');
    } while (cursor !== null);
    expect(seen).toEqual(await images.names());
    expect(seen).toEqual(expect.arrayContaining(['root/p1', 'root/p2', 'root/p3']));
  });

  it('shows a user the own namespace and what roles allow, and hides the rest as if it did not exist', async () => {
    const ina = await roles.userWith('ina', allow(['registry:pull'], ['mrn:registry:root/tools']));
    for (const name of ['ina/shop', 'root/tools', 'root/hidden']) registry().push(name, '1');
    for (const name of ['ina/shop', 'root/tools', 'root/hidden']) await images.describe(name);
    expect(await images.names(ina.token)).toEqual(['ina/shop', 'root/tools']);
    expect((await images.describe('ina/shop', ina.token)).body[0]?.['actions']).toEqual([
      'pull',
      'push',
      'delete',
    ]);
    expect((await images.describe('root/tools', ina.token)).body[0]?.['actions']).toEqual(['pull']);
    const hidden = await images.describe('root/hidden', ina.token);
    const missing = await images.describe('root/missing', ina.token);
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(hidden.text.replaceAll('hidden', 'missing').replace(/"request_id":"[^"]*"/, '')).toBe(
      missing.text.replace(/"request_id":"[^"]*"/, ''),
    );
    expect((await images.tags('root/hidden', ina.token)).status).toBe(404);
    expect((await images.delete('root/hidden:1', {}, ina.token)).status).toBe(404);
    expect((await images.preview('root/hidden:1', ina.token)).status).toBe(404);
    expect((await images.delete('root/tools:1', {}, ina.token)).status).toBe(403);
    expect(registry().tagsOf('root/tools')).toEqual(['1']);
  });

  it('lets a deny statement win in the own namespace', async () => {
    registry().push('ike/shop', '1');
    const ike = await roles.userWith('ike', allow(['*']), deny(['registry:delete']));
    expect((await images.delete('ike/shop:1', {}, ike.token)).status).toBe(403);
    expect((await images.tags('ike/shop', ike.token)).status).toBe(200);
  });

  it('never shows a repository to another account, whatever its visibility', async () => {
    registry().push('root/ours', '1');
    await images.describe('root/ours');
    await images.setVisibility('root/ours', 'public');
    const other = await almanac.otherAccountToken();
    expect(await images.names(other)).toEqual([]);
    for (const answer of [
      await images.describe('root/ours', other),
      await images.tags('root/ours', other),
      await images.preview('root/ours:1', other),
      await images.delete('root/ours', { force: 'true' }, other),
      await images.setVisibility('root/ours', 'private', other),
      await images.setDescription('root/ours', 'mine', other),
    ])
      expect(answer.status).toBe(404);
    expect(registry().tagsOf('root/ours')).toEqual(['1']);
    expect((await images.describe('root/ours')).body[0]).toMatchObject({
      visibility: 'public',
      description: '',
    });
  });

  it('does not know a repository that does not exist, and refuses what is not a name', async () => {
    expect((await images.describe('root/none')).status).toBe(404);
    expect((await images.tags('root/none')).status).toBe(404);
    for (const name of ['', 'Root/Shop', '../secret', 'root/shop:', 'root/shop@x', 'http://x/y'])
      expect((await images.tags(name)).status).toBe(400);
    expect((await images.call('GET', '', { targetKey: 'owner', targetValue: 'x' })).status).toBe(400);
    expect(registry().requests.join()).not.toContain('..');
  });
});

describe('description and visibility, with a stand-in for the registry', () => {
  it('are set with the calls of existing clients, and shown at once', async () => {
    registry().push('root/words', '1');
    expect((await images.setDescription('root/words', 'The shop, für alle')).body).toEqual({
      status: 'success',
      repository: 'root/words',
    });
    expect((await images.setVisibility('root/words', 'public')).status).toBe(200);
    const [found] = (await images.describe('root/words')).body;
    expect(found).toMatchObject({ description: 'The shop, für alle', visibility: 'public' });
    await images.setVisibility('root/words', 'private');
    expect((await images.describe('root/words')).body[0]).toMatchObject({ visibility: 'private' });
  });

  it('refuse other values, and repositories that do not exist', async () => {
    registry().push('root/words', '1');
    expect((await images.setVisibility('root/words', 'secret')).status).toBe(400);
    expect((await images.setDescription('root/words', 'x'.repeat(1001))).status).toBe(400);
    expect((await images.setVisibility('root/nothing', 'public')).status).toBe(404);
  });

  it('publishing needs all rights on the repository: who may only push cannot show it to everybody', async () => {
    registry().push('root/pushed', '1');
    const pusher = await roles.userWith(
      'pusher',
      allow(['registry:pull', 'registry:push'], ['mrn:registry:root/pushed']),
    );
    expect((await images.setVisibility('root/pushed', 'public', pusher.token)).status).toBe(403);
    expect((await images.setDescription('root/pushed', 'by the pusher', pusher.token)).status).toBe(200);
    expect((await images.describe('root/pushed')).body[0]).toMatchObject({
      visibility: 'private',
      description: 'by the pusher',
    });
  });
});

describe('without a registry', () => {
  const bare = useServedAlmanac();

  it('every call says that there is none, and how to get one', async () => {
    const caller = new ImageCaller(bare);
    for (const answer of [
      await caller.list(),
      await caller.describe('root/shop'),
      await caller.tags('root/shop'),
      await caller.delete('root/shop:1'),
      await caller.notify([]),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ message: 'This server has no container registry' });
      expect(answer.text).toContain('almanac registry up');
    }
  });
});
