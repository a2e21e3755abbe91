import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccessCaller, scopeAllowing } from '../access/access-caller.ts';
import type { Json } from '../served-almanac.ts';
import { useAutomatic, withContainers } from './automatic-caller.ts';

const automatic = useAutomatic();
const { almanac, clock, create, versionsOf, imagesOf, eventsOf } = automatic;
const access = new AccessCaller(almanac);

interface Hook {
  stackId: string;
  url: string;
  secret: string;
}

const git = { container_git_repo: 'git@git.example.com:ann/shop.git', container_git_reference: 'main' };
const pathOf = (stackId: string) => `/v3/alm/stack/${stackId}/deploy-hook`;

const createHook = async (stackId: string, token?: string) =>
  almanac.call('POST', pathOf(stackId), { token: token ?? (await almanac.userToken()) });

const makeStack = async (...containers: object[]): Promise<string> =>
  String((await create(withContainers(...containers))).body.stack_id);

const hooked = async (...containers: object[]): Promise<Hook> => {
  const stackId = await makeStack(...containers);
  const { url, secret } = (await createHook(stackId)).body;
  return { stackId, url: String(url), secret: String(secret) };
};

const send = (hook: Pick<Hook, 'url'>, body: object | string, headers: Record<string, string>) =>
  almanac.call('POST', new URL(hook.url).pathname, {
    raw: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const plain = (hook: Hook, body: object = {}, headers: Record<string, string> = {}) =>
  send(hook, body, { authorization: `Bearer ${hook.secret}`, ...headers });

const hmac = ({ secret }: Hook, body: object): string =>
  createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex');

const github = (hook: Hook, body: object, delivery = 'one') =>
  send(hook, body, {
    'x-github-event': 'push',
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${hmac(hook, body)}`,
  });
const gitea = (hook: Hook, body: object, delivery = 'one') =>
  send(hook, body, { 'x-gitea-delivery': delivery, 'x-gitea-signature': hmac(hook, body) });
const gitlab = (hook: Hook, body: object, delivery = 'one') =>
  send(hook, body, { 'x-gitlab-token': hook.secret, 'x-gitlab-event-uuid': delivery });

const commit = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d';
const push = {
  ref: 'refs/heads/main',
  after: commit,
  repository: { clone_url: 'https://git.example.com/ann/shop.git' },
  pusher: { name: 'ann' },
};

const revisionsOf = async (stackId: string): Promise<Record<string, number>> => {
  const rows = almanac.service.database.query.selectFrom('layer_revisions').selectAll();
  const found = await rows.where('stack_id', '=', stackId).execute();
  return Object.fromEntries(found.map(({ flag, updated }) => [flag, updated]));
};

beforeEach(() => void clock.advance(60_000));

describe('a deploy hook', () => {
  it('is created with a secret that is shown once and stored sealed, keeps its URL with a new secret, and can be deleted', async () => {
    const hook = await hooked({ image: 'example/shop:1' });
    const token = await almanac.userToken();
    const shown = await almanac.call('GET', pathOf(hook.stackId), { token });
    expect(shown.body).toMatchObject({ exists: true, url: hook.url, created_by: 'root', last_used_at: null });
    expect(shown.text).not.toContain(hook.secret);
    const rows = await almanac.service.database.query.selectFrom('deploy_hooks').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(hook.secret);
    const again = (await createHook(hook.stackId)).body;
    expect(again['url']).toBe(hook.url);
    expect((await plain(hook)).status).toBe(404);
    const renewed = { ...hook, secret: String(again['secret']) };
    expect((await plain(renewed)).body).toMatchObject({ result: 'deployed' });
    expect((await almanac.call('GET', pathOf(hook.stackId), { token })).body).toMatchObject({
      last_result: 'deployed',
    });
    expect((await almanac.call('DELETE', pathOf(hook.stackId), { token })).status).toBe(200);
    expect((await plain(renewed)).status).toBe(404);
    expect((await almanac.call('DELETE', pathOf(hook.stackId), { token })).status).toBe(404);
    expect((await almanac.call('GET', pathOf(hook.stackId), { token })).body).toMatchObject({
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
    expect((await almanac.call('DELETE', pathOf(stackId), { token: looker.token })).status).toBe(403);
    expect((await almanac.call('GET', pathOf(stackId), { token: looker.token })).status).toBe(200);
    const stranger = { token: await almanac.otherAccountToken() };
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await almanac.call(method, pathOf(stackId), stranger)).status).toBe(404);
  });
});

describe('a call of a deploy hook', () => {
  it.each([
    ['GitHub', github],
    ['Gitea', gitea],
    ['GitLab', gitlab],
  ])('by %s deploys the layers whose code was pushed, once for each delivery', async (_, call) => {
    const other = { ...git, container_git_reference: 'other' };
    const hook = await hooked({ image: 'php:8', ...git }, { image: 'php:8', ...other });
    const before = await revisionsOf(hook.stackId);
    expect((await call(hook, push)).body).toMatchObject({ status: 'success', result: 'deployed' });
    const after = await revisionsOf(hook.stackId);
    expect(after['web0']).toBeGreaterThan(before['web0'] ?? 0);
    expect(after['web1']).toBe(before['web1']);
    const cause = 'ann pushed 1a2b3c4d5e6f to main of git.example.com/ann/shop';
    expect(await versionsOf(hook.stackId)).toMatchObject([{ cause, created_by: 'root' }, { cause: '' }]);
    const audit = almanac.service.database.query.selectFrom('audit').select(['actor', 'detail']);
    expect(await audit.where('detail', '=', cause).execute()).toContainEqual({
      actor: 'root',
      detail: cause,
    });
    expect((await call(hook, push)).body).toEqual({
      status: 'success',
      result: 'already processed',
      version_id: null,
    });
    expect(await versionsOf(hook.stackId)).toHaveLength(2);
  });

  it('with the events of GitLab in its own form deploys too', async () => {
    const hook = await hooked({ image: 'php:8', ...git });
    const event = {
      ref: 'refs/heads/main',
      checkout_sha: commit,
      user_username: 'ann',
      project: { git_ssh_url: 'ssh://git@git.example.com:22/ann/shop.git' },
    };
    expect((await gitlab(hook, event)).body).toMatchObject({ result: 'deployed' });
    expect((await versionsOf(hook.stackId))[0]).toMatchObject({
      cause: 'ann pushed 1a2b3c4d5e6f to main of git.example.com/ann/shop',
    });
  });

  it('with a signed body that was processed is not processed again under another delivery id', async () => {
    const hook = await hooked({ image: 'php:8', ...git });
    expect((await github(hook, push, 'one')).body).toMatchObject({ result: 'deployed' });
    expect((await github(hook, push, 'two')).body).toMatchObject({ result: 'already processed' });
  });

  it('of CI deploys the image that it names, to the layers that run it or to the one it names', async () => {
    const hook = await hooked({ image: 'example/shop:1' }, { image: 'example/blog:1' });
    await plain(hook, { image: 'example/shop:2' });
    expect(await imagesOf(hook.stackId)).toEqual(['example/shop:2', 'example/blog:1']);
    await plain(hook, { flag: 'web1', image: 'example/shop:3' });
    expect(await imagesOf(hook.stackId)).toEqual(['example/shop:2', 'example/shop:3']);
    expect((await versionsOf(hook.stackId))[0]).toMatchObject({
      cause: 'The deploy hook was called for image example/shop:3',
    });
    for (const body of [{ image: 'example/other:1' }, { flag: 'none', image: 'example/shop:1' }])
      expect((await plain(hook, body)).status).toBe(400);
  });

  it('of CI without an image deploys the same again, and with a timestamp or key only once', async () => {
    const hook = await hooked({ image: 'example/shop:1' });
    const before = (await revisionsOf(hook.stackId))['web0'] ?? 0;
    expect((await plain(hook)).body).toMatchObject({ result: 'deployed' });
    expect((await plain(hook)).body).toMatchObject({ result: 'deployed' });
    expect((await revisionsOf(hook.stackId))['web0']).toBeGreaterThan(before);
    const dated = { timestamp: '2030-01-01T00:00:00Z' };
    const key = { 'idempotency-key': 'a key' };
    const results: Json[] = [];
    for (const headers of [{}, key])
      for (let count = 0; count < 2; count += 1)
        results.push((await plain(hook, headers === key ? {} : dated, headers)).body);
    expect(results.map(({ result }) => result)).toEqual([
      'deployed',
      'already processed',
      'deployed',
      'already processed',
    ]);
  });

  it('that does not concern the stack deploys nothing', async () => {
    const hook = await hooked({ image: 'php:8', ...git });
    const others: object[] = [
      { zen: 'Design for failure.' },
      { ...push, ref: 'refs/heads/other' },
      { ...push, after: '0'.repeat(40) },
      { ...push, repository: { clone_url: 'https://git.example.com/ann/shop2.git' } },
      { ...push, repository: null },
    ];
    for (const [index, body] of others.entries())
      expect((await github(hook, body, String(index))).body).toMatchObject({ result: 'nothing to deploy' });
    expect(await versionsOf(hook.stackId)).toHaveLength(1);
  });

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
    const { url, secret } = (await createHook(stackId, token)).body;
    hook = { stackId, url: String(url), secret: String(secret) };
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
