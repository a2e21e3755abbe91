import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { chooseImages } from '../stand-in-images.ts';
import { replaceDatabases } from '../stand-in-replacing.ts';

const almanac = useServedAlmanac();
const images = { newest: 'ami-1' };
let token: string;
beforeAll(async () => {
  chooseImages(almanac.service, images);
  token = await almanac.userToken();
});
beforeEach(() => {
  images.newest = 'ami-1';
});

const path = (stackId: string) => `/v3/alm/stack/${stackId}/images`;
const preview = (stackId: string, as = token) => almanac.call('GET', path(stackId), { token: as });
const refresh = (stackId: string, query = '', as = token) =>
  almanac.call('POST', `${path(stackId)}${query}`, { token: as });

/** One layer with a group, and one with a fixed server whose image the template specifies unless left out. */
const groupAnd = (image: string) => {
  const template = oneServer(1);
  const [layer] = template.configurations;
  const { instance_count: _, ...provision } = layer!.provision;
  const group = { ...provision, auto_scaling: { min: 2, max: 4 }, subnet: { cidr: '10.0.9.0/24' } };
  const fixed = { ...layer!, provision: { ...layer!.provision, image } };
  return { ...template, configurations: [fixed, { role: 'web', flag: 'pool', provision: group }] };
};

const withDatabase = (template: ReturnType<typeof groupAnd>) => ({
  ...template,
  configurations: template.configurations.map((layer, index) =>
    index === 0
      ? { ...layer, provision: { ...layer.provision, rds: { engine: 'mysql', storage: 20 } } }
      : layer,
  ),
});

const created = async (template: object) => {
  const stackId = await almanac.applyTemplate(template);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
};
const imagesOf = async (stackId: string): Promise<string[]> => {
  const { instances } = await almanac.describe(stackId);
  return (instances as { ImageId: string }[]).map(({ ImageId }) => ImageId).toSorted();
};

describe('machine images (the list of images is a stand-in)', () => {
  it('the preview shows old and new image of each layer and what is replaced, and changes nothing', async () => {
    const stackId = await created(groupAnd('${computed}'));
    images.newest = 'ami-2';
    const { status, body } = await preview(stackId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      stack_id: stackId,
      images: [
        { flag: 'web0', image: 'ami-1', newest: 'ami-2', effect: 'replace' },
        { flag: 'pool', image: 'ami-1', newest: 'ami-2', effect: 'rolling' },
      ],
      data: [{ kind: 'disk', action: 'replace', confirm: ['servers=replace'] }],
    });
    const [{ sentence }] = body.data as [Json];
    expect(sentence).toMatch(
      /^Instance \S+ \(\S+\) is replaced by a new one\. What is only on its disk is lost\.$/,
    );
    expect(body.warnings).toContain(sentence);
    expect((body.changes as Json[]).map(({ resource_type }) => resource_type)).toContain('Instance');
    expect(await imagesOf(stackId)).toEqual(['ami-1', 'ami-1', 'ami-1']);
  });

  it('a refresh gives the instances of groups the newest image, and keeps images that the template specifies', async () => {
    const stackId = await created(groupAnd('ami-own'));
    images.newest = 'ami-2';
    expect((await preview(stackId)).body).toMatchObject({ images: [{ flag: 'pool', effect: 'rolling' }] });
    const answer = await refresh(stackId);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ stack_id: stackId, stack_status: 'UPDATE_IN_PROGRESS' });
    const stack = await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(stack.version_id).toBe(answer.body.version_id);
    expect(await imagesOf(stackId)).toEqual(['ami-2', 'ami-2', 'ami-own']);
  });

  it('servers outside groups are replaced only when the request confirms it', async () => {
    const stackId = await created(oneServer(1));
    images.newest = 'ami-2';
    const refused = await refresh(stackId);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      description: expect.stringContaining('?servers=replace'),
      stores: [{ kind: 'disk', action: 'replace', confirm: ['servers=replace'] }],
    });
    expect(await imagesOf(stackId)).toEqual(['ami-1']);
    expect((await refresh(stackId, '?servers=replace')).status).toBe(202);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await imagesOf(stackId)).toEqual(['ami-2']);
  });

  it('an update keeps the image, also after a refresh', async () => {
    const stackId = await created(groupAnd('ami-own'));
    images.newest = 'ami-2';
    await refresh(stackId);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    images.newest = 'ami-3';
    const update = `/v3/alm/template/${stackId}?servers=replace`;
    await almanac.call('PUT', update, { token, json: groupAnd('ami-other') });
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await imagesOf(stackId)).toEqual(['ami-2', 'ami-2', 'ami-other']);
  });

  it('a refresh is refused if all images are the newest, and with an unknown confirmation', async () => {
    const stackId = await created(oneServer(1));
    const answer = await refresh(stackId);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('has the newest images already');
    expect((await refresh(stackId, '?servers=keep')).status).toBe(400);
  });

  it('a repeated refresh with the same key is one refresh', async () => {
    const stackId = await created(groupAnd('ami-own'));
    images.newest = 'ami-2';
    const request = { token, headers: { 'idempotency-key': 'refresh-once' } };
    const first = await almanac.call('POST', path(stackId), request);
    const second = await almanac.call('POST', path(stackId), request);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.version_id).toBe(first.body.version_id);
  });

  it('a stack token may not, and another account finds nothing', async () => {
    const stackId = await created(groupAnd('ami-own'));
    const { auth_token } = await almanac.describe(stackId);
    const login = { client_id: stackId, client_secret: auth_token, grant_type: 'client_credentials' };
    const agent = String((await almanac.call('POST', '/v3/access_token', { json: login })).body.access_token);
    const other = await almanac.otherAccountToken();
    expect([(await preview(stackId, agent)).status, (await refresh(stackId, '', agent)).status]).toEqual([
      403, 403,
    ]);
    expect([(await preview(stackId, other)).status, (await refresh(stackId, '', other)).status]).toEqual([
      404, 404,
    ]);
  });

  it('a refresh that removes data answers 409 with the way to confirm it, and accepts that confirmation', async () => {
    const stackId = await created(withDatabase(groupAnd('ami-own')));
    images.newest = 'ami-2';
    const end = replaceDatabases(almanac.service, 'A snapshot.');
    const [refused, unknown, confirmed] = [
      await refresh(stackId),
      await refresh(stackId, '?data=drop'),
      await refresh(stackId, '?data=keep'),
    ];
    end();
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      description: expect.stringContaining('?data=keep'),
      stores: [{ kind: 'database', action: 'replace', confirm: ['data=keep', 'data=delete'] }],
    });
    expect([unknown.status, confirmed.status]).toEqual([400, 202]);
  });

  it('a vendor without images refuses', async () => {
    const stackId = await created(oneServer(1));
    const vendors = almanac.service.vendors as Map<string, object>;
    const choosing = vendors.get('sandbox')!;
    const { images: _, choose: __, ...plain } = choosing as { images: unknown; choose: unknown };
    vendors.set('sandbox', plain);
    const answer = await preview(stackId);
    vendors.set('sandbox', choosing);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('Vendor aws chooses no machine images');
  });
});
