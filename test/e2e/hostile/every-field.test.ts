import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewayRoutes } from '../../../src/contract/gateway.ts';
import { operationalRoutes } from '../../../src/contract/operational.ts';
import type { Route } from '../../../src/contract/route.ts';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { AlmanacProcess, knownLogin } from '../almanac-process.ts';
import { bodyWith, hostileBodies, hostileTexts, membersOf } from './hostile-values.ts';

/** Hundredths of a second of the main thread, for one request: the time after which the watchdog would end the server. */
const maxTicks = 200;
/** What is quadratic takes seconds at this length. All requests together stay fast. */
const bodyLength = Number(process.env.HOSTILE_LENGTH ?? 100_000);
/** The largest that is accepted, for the body as a whole and for one member. */
const fullLength = 1_000_000;
/** A line of HTTP has at most 16 KiB. */
const queryLength = 5_000;

let place: TestPlace;
let server: AlmanacProcess;
let stackId: string;
let stackToken: string;
beforeAll(async () => {
  place = await makeTestPlace();
  const unlimited = { ALM_RATE_LIMIT: '0', ALM_TOKEN_RATE_LIMIT: '0' };
  const settings = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', ALM_WATCHDOG_SECONDS: '0', ...unlimited };
  server = await AlmanacProcess.serve(place, { ...knownLogin, ...settings });
  stackId = await server.applyTemplate(oneServer());
  const { body } = await server.call('GET', `/v3/alm/stack/${stackId}`);
  const json = { client_id: stackId, client_secret: body.auth_token, grant_type: 'client_credentials' };
  stackToken = String((await server.call('POST', '/v3/access_token', { json })).body.access_token);
});
afterAll(() => place.remove());

const mainThreadTicks = (): number => {
  const { pid } = server.process;
  const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ');
  return Number(fields.split(' ')[11]) + Number(fields.split(' ')[12]);
};

const tokenFor = async ({ access }: Route) => (access === 'agent' ? stackToken : server.userToken());
const pathOf = ({ path }: Route) => path.replace('{stack_id}', stackId).replace(/\{\w+\}/g, 'some-id');

interface Sent {
  what: string;
  status: number;
  ticks: number;
}

/** The reply may be a stream that never ends: only its beginning is read. */
async function send(
  route: Route,
  what: string,
  { query = '', body }: { query?: string; body?: string },
): Promise<Sent> {
  const authorization = `Bearer ${await tokenFor(route)}`;
  const before = mainThreadTicks();
  const response = await fetch(server.url + pathOf(route) + query, {
    method: route.method,
    headers: { authorization, 'content-type': 'application/json' },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  await response.body?.cancel();
  return {
    what: `${route.method} ${route.path}: ${what}`,
    status: response.status,
    ticks: mainThreadTicks() - before,
  };
}

/** Escaped, some texts have twice their length. */
const fullText = (text: string) =>
  JSON.stringify(text).length > fullLength + 1_000 ? text.slice(0, fullLength / 2) : text;

/** Bodies of the largest size, with another text for each route: with all of them, the test would take too long. */
const fullBodiesFor = function* (route: Route): Generator<[string, string]> {
  const texts = hostileTexts(fullLength);
  const [name, text] = texts[routes.indexOf(route) % texts.length] ?? ['', ''];
  yield [`a full body of ${name}`, JSON.stringify(fullText(text))];
  const [member] = membersOf(route.body);
  if (member)
    yield [`full ${member.join('/')}: ${name}`, JSON.stringify(bodyWith(route.body, member, fullText(text)))];
};

const bodiesFor = function* (route: Route): Generator<[string, string]> {
  yield* hostileBodies;
  yield* fullBodiesFor(route);
  for (const [name, text] of hostileTexts(bodyLength)) {
    yield [`a body of ${name}`, JSON.stringify(text)];
    yield [
      `a member name of ${name}`,
      JSON.stringify({ ...(bodyWith(route.body, [], {}) as object), [text]: text.slice(0, 9) }),
    ];
    for (const path of membersOf(route.body))
      yield [`${path.join('/')}: ${name}`, JSON.stringify(bodyWith(route.body, path, text))];
  }
};

async function* requestsTo(route: Route): AsyncGenerator<Sent> {
  if (route.bodyKind !== 'none')
    for (const [what, body] of bodiesFor(route)) yield send(route, what, { body });
  for (const [name] of membersOf(route.query))
    for (const [kind, text] of hostileTexts(queryLength)) {
      const query = `?${name}=${encodeURIComponent(text).slice(0, queryLength).replace(/%.?$/, '')}`;
      yield send(route, `${name}: ${kind}`, { query });
    }
}

/** The sign-in of docker counts wrong passwords; its first bodies were read. */
const afterWrongSignIns = /^POST \/token: grant_type/;
/** Its own end is what it does. */
const signsOut = new Set(['DELETE /v3/session', 'POST /v3/sign_out']);
const routes: readonly Route[] = [...v2Routes, ...v3Routes, ...gatewayRoutes, ...operationalRoutes].filter(
  ({ webSocket, method, path }: Route) => !webSocket && !signsOut.has(`${method} ${path}`),
);

it('no hostile text in any member of any body or query, nor a deep or wide body, takes two seconds of the event loop, and none is refused unread', async () => {
  const all: Sent[] = [];
  for (const route of routes) for await (const sent of requestsTo(route)) all.push(sent);
  const worst = all.toSorted((a, b) => b.ticks - a.ticks).slice(0, 5);
  process.stdout.write(`${all.length} hostile requests; the worst: ${JSON.stringify(worst)}\n`);
  expect(worst.filter(({ ticks }) => ticks > maxTicks)).toEqual([]);
  expect(all.filter(({ status }) => status === 500)).toEqual([]);
  const refused = all.filter(({ status, what }) => status === 429 && !afterWrongSignIns.test(what));
  expect(refused).toEqual([]);
  expect((await server.call('GET', '/v3/session')).status).toBe(200);
});
