import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
/** A stack with three versions, oldest first. */
let stackId: string;
const versionIds: string[] = [];

beforeAll(async () => {
  token = await almanac.userToken();
  stackId = await almanac.applyTemplate(oneServer(1));
  versionIds.push(String((await almanac.describe(stackId)).version_id));
  for (const servers of [2, 3]) {
    const json = oneServer(servers);
    const answer = await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json });
    versionIds.push(String(answer.body.version_id));
  }
});

const listVersions = (query: string, as = token) =>
  almanac.call<Json[]>('GET', `/v3/alm/template${query}`, { token: as });
const readTemplate = (query: string, as = token) =>
  almanac.call('GET', `/v3/alm/template/${stackId}${query}`, { token: as });

describe('listing versions', () => {
  it('all versions are listed newest first, in the types existing clients decode', async () => {
    const { status, body, headers } = await listVersions(`?stack_id=${stackId}`);
    expect(status).toBe(200);
    expect(body.map((version) => version.version_id)).toEqual(versionIds.toReversed());
    expect(body.map((version) => version.latest)).toEqual([true, false, false]);
    expect(body[0]).toEqual({
      version_id: versionIds[2],
      latest: true,
      last_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      size: String(JSON.stringify(oneServer(3)).length),
      created_by: 'root',
      label: '3 servers',
      cause: '',
    });
    expect(headers.get('link')).toBeNull();
  });

  it('versions have pages, each with a link to the next', async () => {
    const first = await listVersions(`?stack_id=${stackId}&limit=2`);
    expect(first.body.map((version) => version.version_id)).toEqual([versionIds[2], versionIds[1]]);
    const next = /^<\/v3\/alm\/template(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain(encodeURIComponent(first.headers.get('x-next-cursor') ?? '?'));
    const second = await listVersions(next);
    expect(second.body).toMatchObject([{ version_id: versionIds[0], latest: false }]);
    expect(second.headers.get('x-next-cursor')).toBeNull();
  });

  it.each([
    ['no stack_id', ''],
    ['an empty stack_id', '?stack_id='],
  ])('listing versions with %s is rejected', async (_, query) => {
    const { status, body } = await almanac.call('GET', `/v3/alm/template${query}`, { token });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: '1000', message: 'stack_id not specified' });
  });

  it('listing versions rejects an invalid cursor and an invalid limit', async () => {
    expect((await listVersions(`?stack_id=${stackId}&cursor=abc`)).status).toBe(400);
    expect((await listVersions(`?stack_id=${stackId}&limit=0`)).status).toBe(400);
  });

  it('a version of a template without a label has an empty label', async () => {
    const { label: _, ...template } = oneServer();
    const other = await almanac.applyTemplate(template);
    expect((await listVersions(`?stack_id=${other}`)).body).toMatchObject([{ label: '', latest: true }]);
  });
});

describe('getting a template', () => {
  it.each([
    ['nothing', ''],
    ['an empty version', '?version_id='],
    ['latest', '?version_id=latest'],
  ])('a request for %s returns the newest version', async (_, query) => {
    const { status, body } = await readTemplate(query);
    expect(status).toBe(200);
    expect(body).toEqual(oneServer(3));
  });

  it('any version can be requested by its id', async () => {
    expect((await readTemplate(`?version_id=${versionIds[0]}`)).body).toEqual(oneServer(1));
  });

  it('an unknown version is not found', async () => {
    const { status, body } = await readTemplate('?version_id=nothing');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: '0404', message: 'Version nothing does not exist' });
  });

  it('a template is returned without secrets', async () => {
    const [layer] = oneServer().configurations;
    const container = { dockerHubUsername: 'shop', dockerHubPassword: 'hidden-secret' };
    const other = await almanac.applyTemplate({ ...oneServer(), configurations: [{ ...layer, container }] });
    const { text } = await almanac.call('GET', `/v3/alm/template/${other}`, { token });
    expect(text).toContain('${sealed}');
    expect(text).not.toContain('hidden-secret');
  });
});

describe('access to templates', () => {
  const paths = () => [`/v3/alm/template?stack_id=${stackId}`, `/v3/alm/template/${stackId}`];

  it('templates require a token (401) of a user (403)', async () => {
    for (const path of paths()) {
      expect((await almanac.call('GET', path)).status).toBe(401);
      expect((await almanac.call('GET', path, { token: await almanac.clientToken() })).status).toBe(403);
    }
  });

  it('templates of another account are not found', async () => {
    const other = await almanac.otherAccountToken();
    for (const path of paths()) {
      const answer = await almanac.call('GET', path, { token: other });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ message: `Stack ${stackId} does not exist` });
    }
  });
});
