import { describe, expect, it } from 'vitest';
import type { Route } from '../../../src/contract/route.ts';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import {
  credentialResource,
  isRepositoryAction,
  stackResources,
  vendorResource,
} from '../../../src/model/actions.ts';
import { decide, type HeldRole, mayAtAll } from '../../../src/model/decide-access.ts';
import { defaultUserScope, readScope, roleTemplates } from '../../../src/model/role-scope.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller } from './access-caller.ts';

const almanac = useServedAlmanac();
const master = new AccessCaller(almanac);

const denyAll = { version: '2017-05-05', Statement: [{ Effect: 'Deny', Action: ['*'], Resource: ['*'] }] };

/** Every kind of user except the master. `null`: a user without a role. */
const personas: [name: string, scope: object | null][] = [
  ['a user without a role', null],
  ...roleTemplates.map((template): [string, object] => [`a user with role ${template.id}`, template.scope]),
  ['a user denied everything', denyAll],
];

function heldBy(scope: object | null): HeldRole[] {
  const parsed = scope === null ? null : readScope(scope);
  if (parsed && !parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return [{ roleId: 'r', name: 'r', scope: parsed ? parsed.value.scope : defaultUserScope }];
}

type Expected = 'let in' | 'not here' | 403 | 404;

/** Routes on the data of the caller; access to the data of others is tested with each route. */
const aboutOthersToo = new Set(['/v3/user', '/v3/user/{username}/password']);

/** Expected result of the declared access for a user with these roles and the stack of another user. */
function expectedOf(route: Route, roles: HeldRole[], stackId: string): Expected {
  const { access } = route;
  if (access === 'self' && aboutOthersToo.has(route.path)) return 'not here';
  if (access === 'public' || access === 'self' || access === 'agent') return 'let in';
  // Users own a namespace whatever their roles are: each repository is decided alone.
  if (access !== 'master' && isRepositoryAction(access.action)) return 'let in';
  if (access === 'master' || !mayAtAll(roles, access.action).allowed) return 403;
  if (!route.path.includes('{stack_id}')) return 'let in';
  const mayDo = (action: string) =>
    decide(roles, {
      action,
      resources: stackResources(stackId),
      owner: 'root',
      caller: 'another-user',
      dependsOn: [
        { action: 'cred:describeCredentials', resources: [credentialResource('aws', 'SANDBOX')] },
        { action: 'vendor:describeVendors', resources: [vendorResource('aws')] },
      ],
    }).allowed;
  if (!mayDo('stack:describeStack')) return 404;
  return mayDo(access.action) ? 'let in' : 403;
}

/** Delete routes run last, because the others need the stack; signing out comes after all of them. */
const orderOf = ({ method, path }: Route) => (method !== 'DELETE' ? 0 : path === '/v3/session' ? 2 : 1);
const routes: Route[] = [...v2Routes, ...v3Routes].toSorted((one, other) => orderOf(one) - orderOf(other));

async function statusOf(route: Route, stackId: string, token: string): Promise<number> {
  const path = route.path.replace('{stack_id}', stackId).replace(/\{\w+\}/g, 'some-id');
  const body = route.bodyKind === 'none' ? {} : { body: '{}' };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(almanac.url + path, { method: route.method, headers, ...body });
  await answer.body?.cancel(); // a stream would never end
  return answer.status;
}

describe.each(personas)('%s', (name, scope) => {
  it('the caller gets the status that each route declares', async () => {
    const stackId = await almanac.applyTemplate();
    const user = await master.makeUser(name.replaceAll(' ', '-'));
    if (scope !== null) {
      const role_id = await master.makeRole(name, JSON.stringify(scope));
      await master.call('POST', '/v3/user/role', { json: { username: user.username, role_id } });
    }
    const roles = heldBy(scope);
    for (const route of routes) {
      const status = await statusOf(route, stackId, user.token);
      const expected = expectedOf(route, roles, stackId);
      const where = `${route.method} ${route.path}`;
      if (expected === 'not here') continue;
      if (expected === 'let in') expect([401, 403, 500], where).not.toContain(status);
      else expect([where, status]).toEqual([where, expected]);
    }
  });
});

describe('the master of another account', () => {
  it('the master of another account finds nothing of this account by any id on any route', async () => {
    const stackId = await almanac.applyTemplate();
    const token = await almanac.otherAccountToken();
    const about = routes.filter(
      (route) => route.path.includes('{stack_id}') && typeof route.access === 'object',
    );
    for (const route of about) {
      const status = await statusOf(route, stackId, token);
      expect([404, 400], `${route.method} ${route.path}`).toContain(status);
    }
    expect((await almanac.describe(stackId)).stack_id).toBe(stackId);
  });
});

describe('an expired token', () => {
  it('an expired token gets 401 on every route that requires a token', async () => {
    const user = await master.makeUser('late');
    await almanac.service.database.query
      .updateTable('access_tokens')
      .set({ expires_at: 1 })
      .where('subject', '=', user.userId)
      .execute();
    for (const route of routes.filter(({ access }) => access !== 'public'))
      expect([route.path, await statusOf(route, 'mo-x', user.token)]).toEqual([route.path, 401]);
  });
});
