import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/contract/route.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';
import { useServedAlmanac } from './served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
});

const isPublic = ({ access }: Route) => access === 'public';
const isForAgents = ({ access }: Route) => access === 'agent';
const named = (routes: readonly Route[]) =>
  routes.map((route): [string, Route] => [`${route.method} ${route.path}`, route]);
const guarded = [...v2Routes, ...v3Routes].filter((route) => !isPublic(route));
const notForAgents = guarded.filter((route) => !isForAgents(route));

/** Access is checked first, so the rest of the request may be invalid. */
const pathOf = (route: Route) => route.path.replace('{stack_id}', stackId).replace(/\{\w+\}/g, 'some-id');
const callWith = (route: Route, token?: string) =>
  almanac.call(route.method, pathOf(route), {
    ...(token === undefined ? {} : { token }),
    ...(route.bodyKind === 'none' ? {} : { json: {} }),
  });

describe('without a token', () => {
  it.each(named(guarded))('%s returns 401 with a challenge', async (_, route) => {
    const answer = await callWith(route);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answer.body).toMatchObject({ code: '0401', error: 'unauthorized' });
  });

  it.each(named([...v2Routes, ...v3Routes].filter(isPublic)))(
    '%s is served without a token',
    async (_, route) => {
      const answer = await callWith(route);
      expect(answer.status).not.toBe(403);
      expect(answer.headers.get('www-authenticate') ?? '').not.toContain('invalid_token');
    },
  );
});

describe('with a stack token', () => {
  it.each(named(notForAgents))('%s returns 403 to a stack token', async (_, route) => {
    const answer = await callWith(route, await almanac.stackToken(stackId));
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: '4000', RBAC: 'Action not allowed' });
  });
});

describe('with an API client token', () => {
  it.each(named(notForAgents.filter(({ path }) => path.startsWith('/v3/'))))(
    '%s returns 403 to an API client token',
    async (_, route) => {
      const answer = await callWith(route, await almanac.clientToken());
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: '4000', RBAC: 'Action not allowed' });
    },
  );
});

describe('with the token of the master user', () => {
  it.each(named(guarded))('%s accepts the master user', async (_, route) => {
    const headers = { authorization: `Bearer ${await almanac.userToken()}` };
    const answer = await fetch(almanac.url + pathOf(route), { method: route.method, headers });
    await answer.body?.cancel(); // a stream would never end
    expect([401, 403, 405, 500]).not.toContain(answer.status);
  });
});
