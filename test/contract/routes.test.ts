import { describe, expect, expectTypeOf, test } from 'vitest';
import { gatewayRoutes } from '../../src/contract/gateway.ts';
import { operationalRoutes } from '../../src/contract/operational.ts';
import {
  type Access,
  type DocumentBody,
  pathParameters,
  type Route,
  route,
  type SuccessOf,
  successStatus,
} from '../../src/contract/route.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import type { issueToken } from '../../src/contract/v3/sign-in/access.ts';
import { type deleteStack, describeStack, type listEvents } from '../../src/contract/v3/stacks.ts';
import type { applyTemplate } from '../../src/contract/v3/templates.ts';
import { v3Routes } from '../../src/contract/v3.ts';
import type { Handler } from '../../src/server/http/binding.ts';

const all: readonly Route[] = [...v2Routes, ...v3Routes, ...gatewayRoutes, ...operationalRoutes];

describe.each(all.map((one) => ({ name: one.name, one })))('$name', ({ one }) => {
  test('the route declares who may call it', () => {
    const levels = ['public', 'agent', 'self', 'master'];
    const known =
      typeof one.access === 'string'
        ? levels.includes(one.access)
        : /^\w+:\w+(::\w+)?$/.test(one.access.action);
    expect(known).toBe(true);
  });

  test('the route declares exactly the parameters of its path', () => {
    expect(Object.keys(one.params?.properties ?? {})).toEqual(pathParameters(one.path));
  });

  test('the route declares a success reply, and a body schema if it reads fields', () => {
    expect(one.replies[successStatus(one.replies)]?.description).toBeTruthy();
    if (one.bodyKind === 'fields') expect(one.body).toBeDefined();
    if (one.bodyKind === 'none') expect(one.body).toBeUndefined();
  });

  test('the route declares header names in lower case', () => {
    const names = Object.keys(one.headers?.properties ?? {});
    expect(names).toEqual(names.map((name) => name.toLowerCase()));
  });
});

test('route names are unique, and so are pairs of method and path', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
});

test('only token, revocation, session, sign-in, schema, deploy hook, key link, ticket, registry token, registry notification and operational routes are public', () => {
  const open = [...v2Routes, ...v3Routes].filter(({ access }) => access === 'public').map(({ path }) => path);
  expect(open).toEqual([
    '/v2/access_token',
    '/v2/alm/configuration/schema',
    '/v2/docker/token',
    '/v2/docker/token',
    '/v3/access_token',
    '/v3/revoke',
    '/v3/session',
    '/v3/session',
    '/v3/session',
    '/v3/sign_in/oidc',
    '/v3/sign_in/oidc/callback',
    '/v3/session/passkey',
    '/v3/alm/template/schema',
    '/v3/alm/hooks/deploy/{hook_id}',
    '/v3/alm/pem/{secret}',
    '/v3/alm/terminal',
    '/v3/docker/token',
    '/v3/docker/token',
    '/v3/docker/notifications',
  ]);
  expect(gatewayRoutes.filter(({ access }) => access !== 'public').map(({ path }) => path)).toEqual([
    '/ttyurl',
    '/exec',
  ]);
});

test('routes have the success statuses of the API specification', () => {
  const statuses = Object.fromEntries(v3Routes.map((one) => [one.name, successStatus(one.replies)]));
  expect(statuses).toMatchObject({ v3ApplyTemplate: 201, v3UpdateTemplate: 202, v3DeleteStack: 200 });
});

describe('route types', () => {
  test('a route without access or with an unknown member does not compile', () => {
    const rest = {
      name: 'x',
      method: 'GET',
      path: '/x',
      summary: '',
      tag: '',
      bodyKind: 'none',
      replies: {},
    } as const;
    // @ts-expect-error: access is required
    route(rest);
    // @ts-expect-error: unknown member
    route({ ...rest, access: 'public', querry: {} });
    expectTypeOf<Route['access']>().toEqualTypeOf<Access>();
    expect(route({ ...rest, access: 'public' }).name).toBe('x');
  });

  test('the types of handler input and result come from the schemas', () => {
    type Actor = { id: string };
    type InputOf<R extends Route, A> = Parameters<Handler<R, A>>[0];
    expectTypeOf<InputOf<typeof describeStack, Actor>['actor']>().toEqualTypeOf<Actor>();
    expectTypeOf<InputOf<typeof issueToken, Actor>['actor']>().toEqualTypeOf<null>();
    expectTypeOf<InputOf<typeof describeStack, Actor>['params']>().toEqualTypeOf<{ stack_id: string }>();
    expectTypeOf<InputOf<typeof listEvents, Actor>['query']>().toEqualTypeOf<{
      after?: number;
      limit?: number;
    }>();
    expectTypeOf<InputOf<typeof applyTemplate, Actor>['body']>().toEqualTypeOf<DocumentBody>();
    expectTypeOf<InputOf<typeof deleteStack, Actor>['body']>().toEqualTypeOf<null>();
    expectTypeOf<SuccessOf<typeof deleteStack>['stack_id']>().toEqualTypeOf<string>();
    expect(describeStack.params).toBeDefined();
  });
});
