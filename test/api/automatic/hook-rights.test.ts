import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import { withContainers } from './automatic-caller.ts';
import { code, type Hook, hmac, hookPath, useHooks } from './hook-caller.ts';

const { almanac, clock, create, versionsOf, eventsOf, ...hooks } = useHooks();
const { createHook, makeStack, hookOf, hooked, send, plain, github, gitea, gitlab } = hooks;
const { git, push } = code;
const access = new AccessCaller(almanac);

beforeEach(() => clock.advance(60_000));

describe('a deploy hook', () => {
  it('is created with a secret that is shown once and stored sealed, keeps its URL with a new secret, and can be deleted', async () => {
    const hook = await hooked({ image: 'example/shop:1' });
    const token = await almanac.userToken();
    const shown = await almanac.call('GET', hookPath(hook.stackId), { token });
    expect(shown.body).toMatchObject({ exists: true, url: hook.url, created_by: 'root', last_used_at: null });
    expect(shown.text).not.toContain(hook.secret);
    const rows = await almanac.service.database.query.selectFrom('deploy_hooks').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(hook.secret);
    const again = (await createHook(hook.stackId)).body;
    expect(again['url']).toBe(hook.url);
    expect((await plain(hook)).status).toBe(404);
    const renewed = { ...hook, secret: String(again['secret']) };
    expect((await plain(renewed)).body).toMatchObject({ result: 'deployed' });
    expect((await almanac.call('GET', hookPath(hook.stackId), { token })).body).toMatchObject({
      last_result: 'deployed',
    });
    expect((await almanac.call('DELETE', hookPath(hook.stackId), { token })).status).toBe(200);
    expect((await plain(renewed)).status).toBe(404);
    expect((await almanac.call('DELETE', hookPath(hook.stackId), { token })).status).toBe(404);
    expect((await almanac.call('GET', hookPath(hook.stackId), { token })).body).toMatchObject({
      exists: false,
      url: '',
    });
  });

  it('is created and deleted only by who may update the stack, and seen only by who may see it', async () => {
    const stackId = await makeStack({ image: 'example/shop:1' });
    const looker = await access.makeUser('looker');
    const role_id = await access.makeRole('looker', scopeAllowing('stack:describe*', 'cred:*', 'vendor:*'));
    await access.call('POST', '/v3/user/role', { json: { username: 'looker', role_id } });
    expect((await createHook(stackId, looker.token)).status).toBe(403);
    expect((await almanac.call('DELETE', hookPath(stackId), { token: looker.token })).status).toBe(403);
    expect((await almanac.call('GET', hookPath(stackId), { token: looker.token })).status).toBe(200);
    const stranger = { token: await almanac.otherAccountToken() };
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await almanac.call(method, hookPath(stackId), stranger)).status).toBe(404);
  });
});

describe('a call of a deploy hook', () => {
  it('with a wrong secret, a changed body or an unknown hook gets the same answer', async () => {
    const hook = await hooked({ image: 'php:8', ...git });
    const wrong = { ...hook, secret: 'wrong' };
    const unknown = { ...hook, url: hook.url.replace(/[^/]+$/, 'unknown') };
    const changed = send(
      hook,
      { ...push, after: 'f'.repeat(40) },
      {
        'x-hub-signature-256': `sha256=${hmac(hook, push)}`,
      },
    );
    const answers = await Promise.all([
      ...[plain, github, gitea, gitlab].flatMap((call) => [call(wrong, push), call(unknown, push)]),
      send(hook, push, {}),
      changed,
      plain({ ...hook, secret: await almanac.userToken() }),
    ]);
    const texts = answers.map(({ status, body }) => `${status} ${String(body.message)}`);
    expect(new Set(texts)).toEqual(new Set(['404 There is no such deploy hook, or the signature is wrong']));
    expect(await versionsOf(hook.stackId)).toHaveLength(1);
  });

  it('by a forge is refused after ten in a minute, without events that have nothing to deploy', async () => {
    const hook = await hooked({ image: 'php:8', ...git });
    const commitOf = (index: number) => ({ ...push, after: String(index).padStart(40, 'a') });
    for (let index = 0; index < 10; index += 1) {
      expect((await github(hook, { zen: 'Keep it simple.' }, `ping ${index}`)).status).toBe(200);
      expect((await github(hook, commitOf(index), `push ${index}`)).body).toMatchObject({
        result: 'deployed',
      });
    }
    expect((await github(hook, commitOf(10), 'push 10')).status).toBe(429);
    expect((await github(hook, commitOf(9), 'push 9')).body).toMatchObject({ result: 'already processed' });
  });

  it('is refused after ten in a minute', async () => {
    const hook = await hooked({ image: 'example/shop:1' });
    for (let count = 0; count < 10; count += 1) expect((await plain(hook)).status).toBe(200);
    const refused = await plain(hook);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    clock.advance(60_000);
    expect((await plain(hook)).status).toBe(200);
  });

  it('with a body other than a JSON object, or longer than 1 MiB, is refused', async () => {
    const hook = await hooked({ image: 'example/shop:1' });
    const authorization = `Bearer ${hook.secret}`;
    for (const body of ['[]', '{', '"text"'])
      expect((await send(hook, body, { authorization })).status).toBe(400);
    expect((await send(hook, `"${'x'.repeat(1024 * 1024)}"`, { authorization })).status).toBe(413);
  });
});

describe('a deploy hook whose creator may no longer update the stack', () => {
  let hook: Hook;
  beforeAll(async () => {
    await access.makeUser('dan');
    const signedIn = await access.signIn('dan', 'password of dan');
    const token = String(signedIn.body.access_token);
    const stackId = String((await create(withContainers({ image: 'example/shop:1' }), token)).body.stack_id);
    hook = await hookOf(stackId, token);
  });

  it('is refused, an event says why, and the same delivery is processed once the creator may again', async () => {
    const role_id = await access.makeRole('dan looks', scopeAllowing('stack:describe*'));
    await access.call('POST', '/v3/user/role', { json: { username: 'dan', role_id } });
    expect((await github(hook, { image: 'example/shop:2' })).status).toBe(403);
    expect((await eventsOf(hook.stackId)).at(-1)).toMatch(
      /^The deploy hook was called for image example\/shop:2\. It was not deployed: /,
    );
    await access.call('DELETE', `/v3/role/${role_id}`);
    expect((await github(hook, { image: 'example/shop:2' })).body).toMatchObject({ result: 'deployed' });
  });

  it('is refused once the creator is gone', async () => {
    await access.call('DELETE', '/v3/user/dan');
    expect((await plain(hook)).status).toBe(403);
    expect(await versionsOf(hook.stackId)).toHaveLength(2);
  });
});
