import { beforeEach, describe, expect, it } from 'vitest';
import { useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();
const mediaType = 'application/vnd.oci.image.manifest.v1+json';

beforeEach(() => {
  registry().before = () => {};
  registry().repositories.clear();
  registry().mood = 'well';
});

interface Sent {
  repository?: string;
  digest?: string;
  tag?: string;
  by?: string;
  at?: string;
  type?: string;
}

const event = (
  action: string,
  { repository = 'root/shop', digest = '', tag, by = 'ann', at, type }: Sent,
) => ({
  id: 'one',
  action,
  timestamp: at ?? '2020-01-01T00:00:00Z',
  target: { repository, digest, mediaType: type ?? mediaType, ...(tag === undefined ? {} : { tag }) },
  request: { method: 'PUT' },
  actor: { name: by },
});

const listed = async (name: string) =>
  (await images.list()).body.find(({ repository }) => repository === name);
const tagsOf = async (name: string) => (await images.describe(name)).body[0]?.tags ?? {};

describe('notifications of the registry, with a stand-in for it', () => {
  it('bring a push into the list, with who pushed it and when', async () => {
    const digest = registry().push('ann/shop', '1');
    const answer = await images.notify([event('push', { repository: 'ann/shop', digest, tag: '1' })]);
    expect(answer.body).toEqual({ status: 'success', received: 1 });
    expect(await listed('ann/shop')).toMatchObject({
      tag_count: 1,
      pushed_by: 'ann',
      pushed_at: '2020-01-01T00:00:00+00:00',
    });
  });

  it('are accepted with the secret only', async () => {
    const digest = registry().push('ann/secret', '1');
    const events = [event('push', { repository: 'ann/secret', digest, tag: '1' })];
    for (const secret of ['wrong', await almanac.userToken(), await almanac.clientToken()])
      expect((await images.notify(events, secret)).status).toBe(401);
    expect((await almanac.call('POST', '/v3/docker/notifications', { json: { events } })).status).toBe(401);
    expect(await listed('ann/secret')).toBeUndefined();
  });

  it('may be repeated and late: the index says what the registry has', async () => {
    const old = registry().push('root/late', '1', { layer: 'old' });
    const current = registry().push('root/late', '1', { layer: 'new' });
    const oldPush = event('push', { repository: 'root/late', digest: old, tag: '1', by: 'old' });
    const newPush = event('push', {
      repository: 'root/late',
      digest: current,
      tag: '1',
      by: 'new',
      at: '2020-01-02T00:00:00Z',
    });
    await images.notify([newPush, oldPush]);
    await images.notify([oldPush, newPush, newPush]);
    expect((await tagsOf('root/late'))['1']).toMatchObject({ digest: current, pushed_by: 'new' });
  });

  it('may come a moment before the registry writes the tag, as those of distribution 2 do', async () => {
    registry().push('root/early', 'moved', { layer: 'old' });
    await images.describe('root/early');
    for (const tag of ['new', 'moved']) {
      const digest = registry().push('root/early', null, { layer: `content of ${tag}` });
      let reads = 0;
      registry().before = (request) => {
        if (request !== `GET /v2/root/early/manifests/${tag}`) return;
        reads += 1;
        if (reads === 3) registry().repositories.get('root/early')?.tags.set(tag, digest);
      };
      const at = new Date().toISOString();
      await images.notify([event('push', { repository: 'root/early', digest, tag, at })]);
      const rows = almanac.service.database.query.selectFrom('registry_images').selectAll();
      expect(
        await rows.where('repository', '=', 'root/early').where('tag', '=', tag).execute(),
      ).toMatchObject([{ digest, pushed_by: 'ann' }]);
    }
  });

  it('of a deletion remove what is gone, and only that', async () => {
    const digest = registry().push('root/gone', '1');
    registry().push('root/gone', '2');
    await images.describe('root/gone');
    registry().repositories.get('root/gone')?.tags.delete('1');
    await images.notify([event('delete', { repository: 'root/gone', digest, type: '' })]);
    expect(await listed('root/gone')).toMatchObject({ tag_count: 1 });
    const still = registry().push('root/gone', '2');
    await images.notify([event('delete', { repository: 'root/gone', digest: still, type: '' })]);
    expect(await listed('root/gone')).toMatchObject({ tag_count: 1 });
  });

  it('of pulls show the time of the last one, but not of reads by this server', async () => {
    const digest = registry().push('root/pulled', '1');
    await images.describe('root/pulled');
    const pull = (at: string, by = 'ann') => event('pull', { repository: 'root/pulled', digest, at, by });
    await images.notify([
      pull('2020-02-02T00:00:00Z'),
      pull('2020-01-01T00:00:00Z'),
      pull('2021-01-01T00:00:00Z', 'almanac server'),
    ]);
    expect((await tagsOf('root/pulled'))['1']).toMatchObject({ pulled_at: '2020-02-02T00:00:00+00:00' });
  });

  it('about layers, unknown accounts and unreadable names change nothing', async () => {
    const digest = registry().push('root/noise', '1');
    registry().push('0123456789abc.eve/shop', '1');
    const answer = await images.notify([
      event('push', { repository: 'root/noise', digest, tag: '1', type: 'application/octet-stream' }),
      event('push', { repository: '0123456789abc.eve/shop', digest, tag: '1' }),
      event('push', { repository: '../../etc', digest, tag: '1' }),
      event('push', { repository: 'root/noise', digest: 'x', tag: '1' }),
      event('push', { repository: 'root/noise', digest }),
      event('mount', { repository: 'root/noise', digest, tag: '1' }),
      { action: 'push' },
    ]);
    expect(answer.status).toBe(202);
    expect(await listed('root/noise')).toBeUndefined();
    const rows = await almanac.service.database.query
      .selectFrom('registry_repositories')
      .selectAll()
      .execute();
    expect(rows.map(({ name }) => name)).not.toContain('0123456789abc.eve/shop');
  });

  it('that cannot be followed because the registry fails are not repeated for ever, and do no harm', async () => {
    const digest = registry().push('root/again', '1');
    const events = [event('push', { repository: 'root/again', digest, tag: '1' })];
    registry().mood = 'broken';
    expect((await images.notify(events)).status).toBe(202);
    registry().mood = 'well';
    expect((await images.notify(events)).body).toMatchObject({ received: 1 });
    expect(await listed('root/again')).toMatchObject({ pushed_by: 'ann' });
  });

  it('are answered at once and repeated while a proxy says that the registry is starting, and so reach the list later', async () => {
    const digest = registry().push('root/starting', '1');
    registry().mood = 'starting';
    const answer = await images.announce([event('push', { repository: 'root/starting', digest, tag: '1' })]);
    expect([answer.status, answer.body.received]).toEqual([202, 1]);
    registry().mood = 'well';
    await almanac.service.registryEvents.idle();
    expect(await listed('root/starting')).toMatchObject({ pushed_by: 'ann' });
  });

  it('of a push read the parts of its image once', async () => {
    const digest = registry().push('root/once', '1');
    registry().requests.length = 0;
    await images.notify([event('push', { repository: 'root/once', digest, tag: '1' })]);
    expect(registry().requests.filter((request) => request.includes('/blobs/'))).toHaveLength(1);
  });

  it('of what this server itself pushes while it deletes a tag do not hide who pushed it', async () => {
    const digest = registry().push('root/own', '1');
    const push = { repository: 'root/own', digest, tag: '1' };
    await images.notify([event('push', push)]);
    await images.notify([event('push', { ...push, by: 'almanac server', at: '2020-01-02T00:00:00Z' })]);
    expect((await tagsOf('root/own'))['1']).toMatchObject({ pushed_by: 'ann' });
  });

  it('of a user whose name is almanac count like those of any other, and no user can have the name of the server itself', async () => {
    const digest = registry().push('root/named', '1');
    const by = 'almanac';
    await images.notify([event('push', { repository: 'root/named', digest, tag: '1', by })]);
    await images.notify([
      event('pull', { repository: 'root/named', digest, by, at: '2020-02-02T00:00:00Z' }),
    ]);
    expect((await tagsOf('root/named'))['1']).toMatchObject({
      pushed_by: 'almanac',
      pulled_at: '2020-02-02T00:00:00+00:00',
    });
    const json = { username: 'almanac server', password: 'kmr8TqXw2Zp4' };
    const refused = await almanac.call('POST', '/v3/user', { token: await almanac.userToken(), json });
    expect(refused.status).toBe(400);
  });

  it('with too many events or another format are refused', async () => {
    expect((await images.notify(Array.from({ length: 1001 }, () => ({ action: 'push' })))).status).toBe(400);
    expect((await images.notify([{ action: 1 }])).status).toBe(400);
  });
});
