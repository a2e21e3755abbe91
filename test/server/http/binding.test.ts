import { expect, test } from 'vitest';
import { route } from '../../../src/contract/route.ts';
import { bindAllFor } from '../../../src/server/http/binding.ts';

const part = {
  method: 'GET',
  access: 'public',
  summary: 'For tests',
  tag: 'Test',
  bodyKind: 'none',
  replies: { 200: { description: 'Done.', schema: null } },
} as const;

const routes = [
  route({ ...part, name: 'v3ListThings', path: '/v3/things' }),
  route({ ...part, name: 'gatewayGreet', path: '/' }),
  route({ ...part, name: 'v3OpenThing', path: '/v3/thing', webSocket: true }),
] as const;

const bindAll = bindAllFor<null>();
const handler = () => null;

test('every route gets the handler with its name, except WebSockets', () => {
  const listThings = () => null;
  const bindings = bindAll(routes, { gatewayGreet: handler, listThings });
  expect(bindings.map((binding) => [binding.route.name, binding.handler])).toEqual([
    ['v3ListThings', listThings],
    ['gatewayGreet', handler],
  ]);
});

test('a route without a handler does not compile, nor does a handler without a route', () => {
  // @ts-expect-error: listThings is missing
  bindAll(routes, { gatewayGreet: handler });
  // @ts-expect-error: there is no route for forgetThings
  bindAll(routes, { gatewayGreet: handler, listThings: handler, forgetThings: handler });
  // @ts-expect-error: a WebSocket route has no handler
  bindAll(routes, { gatewayGreet: handler, listThings: handler, openThing: handler });
  expect(routes).toHaveLength(3);
});
