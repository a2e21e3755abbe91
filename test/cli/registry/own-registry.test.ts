import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StandInRegistry } from '../../api/registry/stand-in-registry.ts';
import { runAlmanac } from '../../e2e/almanac-process.ts';
import { AlmUser, type Served, serveForAlm } from '../alm.ts';

const password = 'password of ann 7f1c';
let registry: StandInRegistry;
let served: Served;
/** Signed in with a token, without an address of the registry. */
let ann: AlmUser;

beforeAll(async () => {
  registry = await StandInRegistry.start();
  served = await serveForAlm({ ALM_REGISTRY_URL: registry.url });
  await served.server.call('POST', '/v3/user', { json: { username: 'ann', password } });
  ann = await userOf('ann');
});
afterAll(async () => {
  ann.close();
  await served.close();
  await registry.stop();
});
beforeEach(async () => {
  for (const tag of ['1.3', '1.4']) registry.push('ann/shop', tag);
  registry.push('ann/blog', '1');
  registry.push('bob/cart', '1');
  for (const name of ['ann/shop', 'ann/blog', 'bob/cart'])
    await served.root.run(['registry', 'describe', name]);
});
afterEach(() => registry.repositories.clear());

async function userOf(username: string, url = served.server.url): Promise<AlmUser> {
  const user = new AlmUser({ ALM_URL: url });
  const { code, stderr } = await user.run(['login', '-u', username, '-p', password]);
  if (code !== 0) throw new Error(stderr);
  return user;
}

describe('alm registry with the registry of the service (a stand-in)', () => {
  it('catalog lists the images of the namespace, without an address or a password', async () => {
    const { code, stdout, stderr } = await ann.run(['registry', 'catalog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ann/blog\nann/shop\n' });
    expect(stderr).toContain('Catalog list for user: ann');
  });

  it('catalog --all lists everything that the user may pull', async () => {
    const root = await served.root.run(['registry', 'catalog']);
    expect(root.stdout).toBe('');
    expect(root.stderr).toContain('not shown: 3. To include them: --all');
    expect(await served.root.json(['registry', 'catalog', '--all', '--fmt', 'json'])).toEqual({
      repositories: ['ann/blog', 'ann/shop', 'bob/cart'],
    });
    expect((await ann.run(['registry', 'catalog', '--all'])).stdout).toBe('ann/blog\nann/shop\n');
  });

  it('tags lists the tags, of a name with the address of the registry too', async () => {
    for (const image of ['shop', 'ann/shop', `${new URL(registry.url).host}/ann/shop:1.4`])
      expect(await ann.json(['registry', 'tags', image, '--fmt', 'json'])).toEqual({
        name: 'ann/shop',
        tags: ['1.3', '1.4'],
      });
    const unknown = await ann.run(['registry', 'tags', 'nothing']);
    expect(unknown.code).toBe(6);
    expect(unknown.stderr).toContain('ann/nothing');
  });

  it('describe shows the repository and its tags as tables, and as the service returns them', async () => {
    const { stdout } = await ann.run(['registry', 'describe', 'shop']);
    const [repository, tags] = stdout.split('\n\n');
    expect(repository).toMatch(
      /^REPO +SIZE +CREATED +VISIBILITY +TAGS +DESCRIPTION\nann\/shop +\d+ B .*private +2/,
    );
    expect(tags).toMatch(
      /^TAG +SIZE +DIGEST +PLATFORMS +PUSHED +BY +STACKS\n1\.3 +\d+ B +sha256:\w{64} +linux\/amd64/,
    );
    expect(await ann.json(['registry', 'describe', 'shop', '--fmt', 'json'])).toMatchObject([
      { repository: 'ann/shop', tags: { '1.4': { platforms: ['linux/amd64'] } } },
    ]);
  });

  it('description and visibility change the repository', async () => {
    expect((await ann.run(['registry', 'description', 'shop', 'The shop'])).code).toBe(0);
    const published = await ann.run(['registry', 'visibility', 'shop', 'public']);
    expect(published.stderr).toContain('Anybody who reaches the registry may now pull ann/shop.');
    expect(await ann.json(['registry', 'describe', 'shop', '--fmt', 'json'])).toMatchObject([
      { description: 'The shop', visibility: 'public' },
    ]);
    expect((await ann.run(['registry', 'visibility', 'shop', 'everybody'])).code).toBe(2);
    await ann.run(['registry', 'visibility', 'shop', 'private']);
    expect((await ann.run(['registry', 'visibility', 'bob/cart', 'public'])).code).toBeGreaterThan(0);
  });

  it('delete removes only the tag, though another one has the same content', async () => {
    registry.push('ann/shop', 'stable', { layer: '1.4' });
    expect(await ann.json(['registry', 'delete', 'shop:1.4'])).toMatchObject({
      status: 'success',
      tags: ['1.4'],
    });
    expect(registry.tagsOf('ann/shop')).toEqual(['1.3', 'stable']);
  });

  it.each([
    ['--username', 'ann', '--password', password],
    ['--service', 'x'],
    ['--scope', 'repository:x:*'],
  ])('delete with %s %s removes only the tag too, through the service', async (...flags) => {
    registry.push('ann/shop', 'stable', { layer: '1.4' });
    expect((await ann.run(['registry', 'delete', 'shop:1.4', ...flags])).code).toBe(0);
    expect(registry.tagsOf('ann/shop')).toEqual(['1.3', 'stable']);
  });

  it('delete and describe with a user name and password need no login, and have the rights of that user', async () => {
    const nobody = new AlmUser({ ALM_URL: served.server.url });
    const asAnn = ['--username', 'ann', '--password', password];
    expect(await nobody.json(['registry', 'describe', 'shop', '--fmt', 'json', ...asAnn])).toMatchObject([
      { repository: 'ann/shop' },
    ]);
    const wrong = await nobody.run(['registry', 'delete', 'shop:1.4', ...asAnn.slice(0, 3), 'wrong']);
    const foreign = await nobody.run(['registry', 'delete', 'bob/cart:1', ...asAnn]);
    const anonymous = await nobody.run(['registry', 'delete', 'ann/shop:1.4']);
    nobody.close();
    expect([wrong.code, foreign.code, anonymous.code]).toEqual([4, 6, 4]);
    expect([registry.tagsOf('ann/shop'), registry.tagsOf('bob/cart')]).toEqual([['1.3', '1.4'], ['1']]);
  });

  it('delete --preview shows what would be deleted, and deletes nothing', async () => {
    expect(await ann.json(['registry', 'delete', 'shop:1.4', '--preview'])).toMatchObject({
      repository: 'ann/shop',
      tags: ['1.4'],
      needs_force: false,
    });
    expect(registry.tagsOf('ann/shop')).toEqual(['1.3', '1.4']);
  });

  it('delete removes a whole repository only with --all', async () => {
    const refused = await ann.run(['registry', 'delete', 'shop']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('alm registry delete --image ann/shop --all');
    expect((await ann.run(['registry', 'delete', 'shop:1.4', '--all'])).code).toBe(2);
    expect(registry.tagsOf('ann/shop')).toEqual(['1.3', '1.4']);
    expect((await ann.run(['registry', 'delete', 'shop', '--all'])).code).toBe(0);
    expect(registry.tagsOf('ann/shop')).toEqual([]);
  });

  it('delete by digest names the tags, and needs --force', async () => {
    const digest = registry.push('ann/shop', '1.4');
    const refused = await ann.run(['registry', 'delete', `shop@${digest}`]);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('1.4');
    expect((await ann.run(['registry', 'delete', `shop@${digest}`, '--force'])).code).toBe(0);
    expect(registry.tagsOf('ann/shop')).toEqual(['1.3']);
  });

  it('manifest and token use the login', async () => {
    const token = await ann.run(['registry', 'token', '--scope', 'repository:ann/shop:pull,push']);
    const claims = Buffer.from(token.stdout.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({
      sub: 'ann',
      access: [{ type: 'repository', name: 'ann/shop', actions: ['pull', 'push'] }],
    });
  });

  it('a user without a namespace must name one', async () => {
    await served.server.call('POST', '/v3/user', { json: { username: 'Eve@example.com', password } });
    const eve = await userOf('Eve@example.com');
    const { code, stderr } = await eve.run(['registry', 'tags', 'shop']);
    eve.close();
    expect(code).toBe(2);
    expect(stderr).toContain('Use --image <namespace>/<name>');
  });

  it('the namespace of a user of another account has its id, whatever name the user signed in with', async () => {
    const created = await runAlmanac(served.place, ['account', 'create', 'other', '--json'], {
      ALM_ACCOUNT_PASSWORD: password,
    });
    const { account_id: id } = JSON.parse(created.stdout) as { account_id: string };
    const other = await userOf(`${id}.root`);
    registry.push(`${id}.root/shop`, '1');
    expect(await other.json(['registry', 'tags', 'shop', '--fmt', 'json'])).toEqual({
      name: `${id}.root/shop`,
      tags: ['1'],
    });
    expect((await other.run(['registry', 'describe', 'ann/shop'])).code).toBe(6);
    other.close();
  });

  it('an address of another registry is not asked through the service', async () => {
    const env = { ALM_REGISTRY_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await ann.run(['registry', 'describe', 'shop'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(`http://127.0.0.1:9 is not the registry of ${served.server.url}`);
    expect((await ann.run(['registry', 'tags', 'shop'], { env })).code).toBe(8);
  });

  it('says that the registry does not answer, with its address', async () => {
    registry.mood = 'broken';
    const { code, stderr } = await ann.run(['registry', 'tags', 'shop']);
    registry.mood = 'well';
    expect(code).toBe(1);
    expect(stderr).toContain(registry.url);
  });

  it('registry login works with the login, and the helper gets a token of one hour that ends with it', async () => {
    const leaving = await userOf('ann');
    expect((await leaving.run(['registry', 'login'])).code).toBe(0);
    const host = new URL(registry.url).host;
    const got = await leaving.run(['registry', 'credential', 'get'], { input: host });
    const { Username: username, Secret: secret } = JSON.parse(got.stdout) as Record<string, string>;
    expect(username).toBe('<token>');
    const exchange = () =>
      fetch(`${served.server.url}/v3/docker/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          service: 'almanac-registry',
          client_id: 'docker',
          scope: 'repository:ann/shop:pull',
          refresh_token: secret ?? '',
        }),
      });
    const accepted = await exchange();
    expect([accepted.status, await accepted.json()]).toMatchObject([
      200,
      { scope: 'repository:ann/shop:pull' },
    ]);
    await ann.run(['sign-in', 'revoke', '--all']);
    expect((await exchange()).status).toBe(401);
    leaving.close();
  });
});
