import type { TObject, TSchema } from 'typebox';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/contract/route.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';
import { oneServer } from '../world.ts';
import { first, useServedAlmanac } from './served-almanac.ts';

/** PostgreSQL cannot store these. SQLite can, but callers should not notice the difference. */
const unreadable = ['a\0b', 'a\ud800b'];

const almanac = useServedAlmanac();
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
});

const routes: readonly Route[] = [...v2Routes, ...v3Routes];
const named = (list: readonly Route[]) =>
  list.map((route): [string, Route] => [`${route.method} ${route.path}`, route]);

const pathOf = (route: Route, text = 'some-id') =>
  route.path.replace('{stack_id}', text === 'some-id' ? stackId : text).replace(/\{\w+\}/g, text);

const tokenFor = async ({ access }: Route): Promise<{ token?: string }> =>
  access === 'public' ? {} : { token: await almanac.userToken() };

const membersOf = (schema: TSchema | undefined): string[] =>
  schema && 'properties' in schema ? Object.keys((schema as TObject).properties) : [];

describe('NUL and half of a surrogate pair get 400 on every route', () => {
  it.each(named(routes.filter(({ params }) => params)))('in the path of %s', async (_, route) => {
    const answer = await almanac.call(route.method, pathOf(route, 'a%00b'), await tokenFor(route));
    expect(answer.status).toBe(400);
  });

  it.each(named(routes.filter(({ query }) => query)))('in the query of %s', async (_, route) => {
    for (const member of membersOf(route.query)) {
      const path = `${pathOf(route)}?${member}=a%00b`;
      const answer = await almanac.call(route.method, path, await tokenFor(route));
      expect(answer.body).toMatchObject({ code: '1000', problems: [{ path: member }] });
    }
  });

  it.each(named(routes.filter(({ bodyKind }) => bodyKind === 'fields')))(
    'in the body of %s',
    async (_, route) => {
      for (const text of unreadable)
        for (const member of membersOf(route.body)) {
          const json = { ...(route.path.endsWith('access_token') ? first : {}), [member]: text };
          const answer = await almanac.call(route.method, pathOf(route), {
            json,
            ...(await tokenFor(route)),
          });
          expect(answer.body).toMatchObject({ code: '1000', problems: [{ path: member }] });
        }
    },
  );

  // Who calls a hook must prove it first: unreadable text is the same as any other that is not signed.
  it.each(named(routes.filter(({ bodyKind, access }) => bodyKind === 'document' && access !== 'public')))(
    'in the template of %s, as JSON and as YAML',
    async (_, route) => {
      for (const text of unreadable) {
        const template = JSON.stringify({ ...oneServer(), label: text });
        for (const type of ['application/json', 'application/x-yaml']) {
          const answer = await almanac.call(route.method, pathOf(route), {
            raw: template,
            headers: { 'content-type': type },
            ...(await tokenFor(route)),
          });
          expect(answer.body).toMatchObject({ code: '1006', problems: [{ path: 'label' }] });
        }
      }
    },
  );

  it('in a page cursor', async () => {
    const cursor = Buffer.from(JSON.stringify([1, 'a\0b'])).toString('base64url');
    const answer = await almanac.call('GET', `/v3/alm/stack?limit=1&cursor=${cursor}`, {
      token: await almanac.userToken(),
    });
    expect(answer).toMatchObject({ status: 400, body: { message: 'cursor is invalid' } });
  });

  it('in JSON that is the text of a form field', async () => {
    const token = await almanac.userToken();
    const id = String.raw`[{"a\u0000b": {"version": ""}}]`;
    const compared = await almanac.call('POST', '/v3/alm/template/compare', { token, form: { id } });
    expect(compared.body).toMatchObject({ code: '1000', problems: [{ path: 'id/0/a\uFFFDb' }] });
    const configurations = String.raw`{"architecture": "art_single", "type": "t2.micro", "image": "a\ud800"}`;
    const created = await almanac.call('POST', '/v2/alm/stack', { token, form: { configurations } });
    expect(created.status).toBe(400);
  });
});

it.each(['ext::sh -c id', 'file:///etc', '--upload-pack=id', 'ssh://-oProxyCommand=id/x'])(
  'the git repository %s is refused with the path of the member',
  async (repository) => {
    const token = await almanac.userToken();
    const [layer] = oneServer().configurations;
    const container = { container_image: 'httpd', container_git_repo: repository };
    const json = { ...oneServer(), configurations: [{ ...layer, container }] };
    expect((await almanac.call('POST', '/v3/alm/template', { token, json })).body).toMatchObject({
      code: '1006',
      problems: [{ path: 'configurations/0/container/container_git_repo' }],
    });
    const configurations = { architecture: 'art_single', type: 't2.micro', code: repository };
    const v2 = { vendor: 'aws', region: 'ap-northeast-1', cred: 'SANDBOX', configurations };
    expect((await almanac.call('POST', '/v2/alm/stack', { token, json: v2 })).body).toMatchObject({
      problems: [{ path: 'configurations/code' }],
    });
  },
);

it.each(['187140931807660870000', '9007199254740993', '-1'])(
  'the event number %s, which no database can store, gets 400',
  async (after) => {
    const token = await almanac.userToken();
    for (const version of ['v2', 'v3']) {
      const answer = await almanac.call('GET', `/${version}/alm/stack/${stackId}/events?after=${after}`, {
        token,
      });
      expect(answer.body).toMatchObject({ code: '1000', problems: [{ path: 'after' }] });
    }
  },
);
