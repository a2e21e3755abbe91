import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../served-almanac.ts';
import { code, useHooks } from './hook-caller.ts';

const { almanac, clock, versionsOf, imagesOf, hooked, plain, github, gitea, gitlab } = useHooks();
const { git, commit, push } = code;

const revisionsOf = async (stackId: string): Promise<Record<string, number>> => {
  const rows = almanac.service.database.query.selectFrom('layer_revisions').selectAll();
  const found = await rows.where('stack_id', '=', stackId).execute();
  return Object.fromEntries(found.map(({ flag, updated }) => [flag, updated]));
};

beforeEach(() => clock.advance(60_000));

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
});
