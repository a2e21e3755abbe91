import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Json } from '../http.ts';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { type Descriptor, mediaTypes } from './world/image-layout.ts';
import { useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let ann: Clients;
let source: string;

beforeAll(async () => {
  ann = await world.signedIn(await world.createUser('ann'));
  source = await world.layout.simple('one');
});

interface Repository {
  repository: string;
  visibility: string;
  tag_count: number;
  pushed_by: string;
  tags: Record<string, Json>;
}

const describeRepository = async (name: string): Promise<Repository> => {
  const query = `targetKey=repository&targetValue=${name}`;
  const answer = await world.server.call<[Repository]>('GET', `/v3/alm/registry?${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body[0];
};

/** From the index, which notifications of the registry fill. */
const listRepositories = async (): Promise<Map<string, Repository>> => {
  const { body } = await world.server.call<Repository[]>('GET', '/v3/alm/registry');
  return new Map(body.map((found) => [found.repository, found]));
};

const indexed = (name: string, wanted: (found: Repository | undefined) => boolean) =>
  eventually(async () => (await listRepositories()).get(name), wanted);

const deleteImage = (image: string, force = false) =>
  world.server.call('DELETE', `/v3/alm/registry/image?image_id=${image}&force=${force}`);

const images = (): Promise<Descriptor[]> =>
  Promise.all(
    ['amd64', 'arm64'].map((architecture) => world.layout.image({ architecture, content: architecture })),
  );

describe('what was pushed is described with its digest and platforms', () => {
  it('an OCI image and the same image as a Docker image', async () => {
    const image = await world.layout.image({ architecture: 'amd64', content: 'amd64' });
    const plain = world.layout.tag('plain', image);
    await succeeded(ann.push(plain, 'ann/plain:oci'));
    await succeeded(ann.push(plain, 'ann/plain:docker', '--format', 'v2s2'));
    const { tags } = await describeRepository('ann/plain');
    expect(tags['oci']).toMatchObject({
      digest: image.digest,
      media_type: mediaTypes.manifest,
      platforms: ['linux/amd64'],
    });
    expect(tags['docker']).toMatchObject({
      media_type: mediaTypes.dockerManifest,
      platforms: ['linux/amd64'],
    });
  });

  it('an OCI index and a Docker list have all their platforms', async () => {
    const index = world.layout.index(await images());
    const many = world.layout.tag('many', index);
    await succeeded(ann.push(many, 'ann/many:oci', '--all'));
    await succeeded(ann.push(many, 'ann/many:docker', '--all', '--format', 'v2s2'));
    const { tags } = await describeRepository('ann/many');
    const platforms = ['linux/amd64', 'linux/arm64'];
    expect(tags['oci']).toMatchObject({ digest: index.digest, media_type: mediaTypes.index, platforms });
    expect(tags['docker']).toMatchObject({ media_type: mediaTypes.dockerList, platforms });
    const pull = await succeeded(ann.docker('pull', ann.at('ann/many:oci')));
    expect(pull).toContain(`Digest: ${index.digest}`);
  });

  it('attestations of an index are not platforms', async () => {
    const parts = await images();
    const index = world.layout.index([...parts, ...parts.map((part) => world.layout.attestation(part))]);
    await succeeded(ann.push(world.layout.tag('attested', index), 'ann/attested:1', '--all'));
    const { tags } = await describeRepository('ann/attested');
    expect(tags['1']).toMatchObject({ digest: index.digest, platforms: ['linux/amd64', 'linux/arm64'] });
    await succeeded(ann.pull('ann/attested:1', '--all'));
  });
});

describe('notifications', () => {
  it('a push is in the list with who pushed it, and a deletion with another client removes it', async () => {
    await succeeded(ann.push(source, 'ann/noticed:1'));
    const found = await indexed('ann/noticed', (repository) => repository?.tag_count === 1);
    expect(found).toMatchObject({ pushed_by: 'ann', visibility: 'private' });
    await succeeded(ann.skopeo('delete', `docker://${ann.at('ann/noticed:1')}`));
    await indexed('ann/noticed', (repository) => (repository?.tag_count ?? 0) === 0);
  });
});

describe('deletion', () => {
  it('of a tag leaves the other tags of the same content', async () => {
    for (const tag of ['1', '2']) await succeeded(ann.push(source, `ann/tags:${tag}`));
    const answer = await deleteImage('ann/tags:1');
    expect(answer.status, answer.text).toBe(200);
    expect(await failed(ann.pull('ann/tags:1'))).toMatch(/manifest unknown/);
    await succeeded(ann.pull('ann/tags:2'));
    expect(Object.keys((await describeRepository('ann/tags')).tags)).toEqual(['2']);
  });

  it('of a digest with several tags is refused with their names, unless forced', async () => {
    for (const tag of ['1', '2']) await succeeded(ann.push(source, `ann/digest:${tag}`));
    const digest = String((await describeRepository('ann/digest')).tags['1']?.['digest']);
    const refused = await deleteImage(`ann/digest@${digest}`);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toMatch(/1.*2/);
    await succeeded(ann.pull('ann/digest:1'));
    expect((await deleteImage(`ann/digest@${digest}`, true)).status).toBe(200);
    for (const tag of ['1', '2'])
      expect(await failed(ann.pull(`ann/digest:${tag}`))).toMatch(/manifest unknown/);
  });

  it('of a repository removes all its tags', async () => {
    for (const tag of ['1', '2']) await succeeded(ann.push(source, `ann/whole:${tag}`));
    const answer = await deleteImage('ann/whole');
    expect(answer.status, answer.text).toBe(200);
    expect(await failed(ann.pull('ann/whole:2'))).toMatch(/manifest unknown|not found/);
  });
});

it('anybody can pull from a public repository and not push to it, until it is private again', async () => {
  await succeeded(ann.push(source, 'ann/public:1'));
  const setVisibility = (visibility: string) =>
    world.server.call('PUT', `/v3/alm/registry/visibility?image_id=ann/public&visibility=${visibility}`);
  const anonymous = world.clients();
  expect((await setVisibility('public')).status).toBe(200);
  await succeeded(anonymous.pull('ann/public:1'));
  await succeeded(anonymous.docker('pull', anonymous.at('ann/public:1')));
  await succeeded(anonymous.podman('pull', anonymous.at('ann/public:1')));
  expect(await failed(anonymous.push(source, 'ann/public:2'))).toMatch(/denied|unauthorized/i);
  expect((await setVisibility('private')).status).toBe(200);
  expect(await failed(anonymous.pull('ann/public:1'))).toMatch(/denied|unauthorized/i);
});
