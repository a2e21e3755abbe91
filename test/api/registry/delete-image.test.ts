import { beforeEach, describe, expect, it } from 'vitest';
import { rolesOn } from '../access/role-statements.ts';
import { running, useAlmanacWithRegistry } from './use-registry.ts';

const { almanac, images, registry } = useAlmanacWithRegistry();
const onRegistry = (image: string) => `${new URL(registry().url).host}/${image}`;

beforeEach(() => {
  registry().repositories.clear();
  registry().mood = 'well';
});

/** Creates a stack that runs the image. Returns its id. */
const runStack = (image: string, token?: string) => almanac.applyTemplate(running(onRegistry(image)), token);

async function removeStack(stackId: string): Promise<void> {
  await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, {
    token: await almanac.userToken(),
  });
  await almanac.waitFor(stackId, 'DELETE_COMPLETE');
}

describe('deleting images, with a stand-in for the registry', () => {
  it('deletes one tag, and its content if nothing else refers to it', async () => {
    const first = registry().push('root/shop', '1');
    const second = registry().push('root/shop', '2');
    const answer = await images.delete('root/shop:1');
    expect(answer.body).toEqual({
      status: 'success',
      repository: 'root/shop',
      tags: ['1'],
      digests: [first],
    });
    expect(registry().tagsOf('root/shop')).toEqual(['2']);
    expect(registry().digests('root/shop')).toEqual([second]);
  });

  it('deletes one of several tags of the same content, and nothing else', async () => {
    const digest = registry().push('root/shop', '1');
    registry().push('root/shop', 'latest', { layer: '1' });
    const answer = await images.delete('root/shop:1');
    expect(answer.body).toMatchObject({ tags: ['1'], digests: [] });
    expect(registry().tagsOf('root/shop')).toEqual(['latest']);
    expect(registry().digests('root/shop')).toEqual([digest]);
    expect(Object.keys((await images.describe('root/shop')).body[0]?.tags ?? {})).toEqual(['latest']);
  });

  it('deletes the platforms of an image with it, but none that has a tag of its own', async () => {
    registry().pushIndex('root/shop', '1', ['linux/amd64', 'linux/arm64']);
    const kept = registry().push('root/shop', 'arm', { layer: '1 linux/arm64', platform: 'linux/arm64' });
    expect((await images.delete('root/shop:1')).status).toBe(200);
    expect(registry().digests('root/shop')).toEqual([kept]);
    expect(registry().tagsOf('root/shop')).toEqual(['arm']);
  });

  it('keeps the content of a tag that is a platform of another tag', async () => {
    registry().pushIndex('root/shop', '1', ['linux/arm64']);
    registry().push('root/shop', 'arm', { layer: '1 linux/arm64', platform: 'linux/arm64' });
    const before = registry().digests('root/shop');
    expect((await images.delete('root/shop:arm')).status).toBe(200);
    expect(registry().digests('root/shop')).toEqual(before);
    expect(registry().tagsOf('root/shop')).toEqual(['1']);
  });

  it('refuses to delete content that tags refer to, names them, and deletes it with force', async () => {
    const digest = registry().push('root/shop', '1');
    registry().push('root/shop', 'latest', { layer: '1' });
    const refused = await images.delete(`root/shop@${digest}`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain('the tags 1, latest refer to this content');
    expect(refused.body.description).toContain('force=true');
    expect(registry().tagsOf('root/shop')).toEqual(['1', 'latest']);
    expect((await images.delete(`root/shop@${digest}`, { force: 'true' })).status).toBe(200);
    expect(registry().tagsOf('root/shop')).toEqual([]);
  });

  it('deletes content without tags at once', async () => {
    const digest = registry().push('root/shop', null, { layer: 'untagged' });
    registry().push('root/shop', '1');
    expect((await images.delete(`root/shop@${digest}`)).status).toBe(200);
    expect(registry().tagsOf('root/shop')).toEqual(['1']);
  });

  it('deletes a whole repository as existing clients ask for it; one of the same name is private again', async () => {
    registry().pushIndex('root/shop', '1', ['linux/amd64']);
    registry().push('root/shop', '2');
    registry().push('root/shop2', '1');
    await images.setVisibility('root/shop', 'public');
    expect((await images.delete('root/shop')).body).toMatchObject({ tags: ['1', '2'] });
    expect(registry().digests('root/shop')).toEqual([]);
    expect(registry().tagsOf('root/shop2')).toEqual(['1']);
    expect((await images.describe('root/shop')).status).toBe(404);
    registry().push('root/shop', '3');
    expect((await images.describe('root/shop')).body[0]).toMatchObject({ visibility: 'private' });
  });

  it('does not know a tag, content or repository that does not exist', async () => {
    registry().push('root/shop', '1');
    for (const id of ['root/shop:2', `root/shop@sha256:${'0'.repeat(64)}`, 'root/none', 'root/none:1'])
      expect((await images.delete(id)).status).toBe(404);
    expect(registry().tagsOf('root/shop')).toEqual(['1']);
  });

  it('refuses an image that a stack uses, names the stack, and deletes it with force', async () => {
    registry().push('root/used', '1');
    registry().push('root/used', '2');
    const stackId = await runStack('root/used:1');
    for (const id of ['root/used:1', 'root/used']) {
      const refused = await images.delete(id);
      expect(refused.status).toBe(409);
      expect(refused.body.message).toContain(stackId);
    }
    expect((await images.preview('root/used:1')).body).toMatchObject({
      needs_force: true,
      stacks: [{ stack_id: stackId }],
    });
    expect((await images.describe('root/used')).body[0]?.tags['1']?.['stacks']).toMatchObject([
      { stack_id: stackId },
    ]);
    expect((await images.delete('root/used:2')).status).toBe(200);
    expect((await images.delete('root/used:1', { force: 'true' })).status).toBe(200);
    await removeStack(stackId);
  });

  it('takes an image without a tag for latest, and knows one that a stack uses by digest', async () => {
    registry().push('root/bare', 'latest');
    const digest = registry().push('root/bare', 'pinned', { layer: 'pinned' });
    await runStack('root/bare');
    await runStack(`root/bare@${digest}`);
    expect((await images.delete('root/bare:latest')).status).toBe(409);
    expect((await images.delete('root/bare:pinned')).status).toBe(409);
    registry().push('root/bare', 'also-pinned', { layer: 'pinned' });
    expect((await images.delete('root/bare:pinned')).status).toBe(200);
    expect(registry().tagsOf('root/bare')).toEqual(['also-pinned', 'latest']);
  });

  it('keeps the platforms of an image without tags that a stack uses by digest, and refuses to delete them', async () => {
    const platforms = ['linux/amd64', 'linux/arm64'];
    const old = registry().pushIndex('root/pins', 'latest', platforms);
    registry().push('root/pins', 'other');
    const before = registry().digests('root/pins');
    const [shared = ''] = before;
    const stackId = await runStack(`root/pins@${old}`);
    registry().put('root/pins', 'latest', {
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [{ digest: shared, size: 1, platform: { os: 'linux', architecture: 'amd64' } }],
    });
    expect((await images.delete('root/pins:latest')).status).toBe(200);
    expect(registry().digests('root/pins')).toEqual(before);
    const refused = await images.delete(`root/pins@${shared}`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(stackId);
  });

  it('names the stacks that use an image if one of its platforms is to be deleted', async () => {
    registry().pushIndex('root/parts', 'latest', ['linux/amd64']);
    const [part = ''] = registry().digests('root/parts');
    const stackId = await runStack('root/parts');
    const refused = await images.delete(`root/parts@${part}`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toContain(stackId);
    expect((await images.preview(`root/parts@${part}`)).body).toMatchObject({
      stacks: [{ stack_id: stackId }],
    });
  });

  it('does not count stacks that are deleted, and images of the same name elsewhere', async () => {
    registry().push('root/free', '1');
    const stackId = await runStack('root/free:1');
    await almanac.applyTemplate(running('registry.example.test/root/free:1'));
    await almanac.applyTemplate(running('root/free:1'));
    await removeStack(stackId);
    expect((await images.delete('root/free:1')).status).toBe(200);
  });

  it('does not name a stack that the caller may not see', async () => {
    registry().push('una/shop', '1');
    const stackId = await runStack('una/shop:1');
    const una = await rolesOn(almanac).userWith('una', {
      Effect: 'Allow',
      Action: ['template:*'],
      Resource: ['mrn:none'],
    });
    const refused = await images.delete('una/shop:1', {}, una.token);
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain(stackId);
    expect(refused.body.message).toContain('1 stack that you may not see');
    expect((await images.preview('una/shop:1', una.token)).body).toMatchObject({
      stacks: [],
      needs_force: true,
    });
  });

  it('previews a deletion without changing anything', async () => {
    const digest = registry().push('root/shop', '1');
    const preview = await images.preview('root/shop:1');
    expect(preview.body).toEqual({
      repository: 'root/shop',
      tags: ['1'],
      digests: [digest],
      stacks: [],
      needs_force: false,
      reason: '',
    });
    expect(registry().tagsOf('root/shop')).toEqual(['1']);
  });

  it('says so if the registry does not allow deletion', async () => {
    registry().push('root/shop', '1');
    registry().mood = 'deletes nothing';
    const refused = await images.delete('root/shop:1');
    expect(refused.status).toBe(502);
    expect(refused.body.message).toBe(`Deletion is disabled in the registry at ${registry().url}`);
  });

  it('changes nothing if the registry does not allow deletion, also for one of several tags', async () => {
    const digest = registry().push('root/shop', '1');
    registry().push('root/shop', 'latest', { layer: '1' });
    registry().mood = 'deletes nothing';
    const refused = await images.delete('root/shop:1');
    expect(refused.body.message).toBe(`Deletion is disabled in the registry at ${registry().url}`);
    expect(registry().digests('root/shop')).toEqual([digest]);
    const { tags } = (await images.describe('root/shop')).body[0] ?? {};
    expect(tags).toMatchObject({ '1': { digest }, latest: { digest } });
  });

  it.each(['root/shop:1', 'root/shop'])('deletes with %s what an interrupted deletion left', async (id) => {
    registry().push('root/shop', 'latest');
    await images.setVisibility('root/shop', 'public');
    registry().put('root/shop', '1', {
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [],
      annotations: { 'almanac.deleted-tag': 'unique' },
    });
    expect((await images.delete(id)).status).toBe(200);
    const isWhole = id === 'root/shop';
    expect(registry().tagsOf('root/shop')).toEqual(isWhole ? [] : ['latest']);
    expect((await images.describe('root/shop')).status).toBe(isWhole ? 404 : 200);
  });
});
