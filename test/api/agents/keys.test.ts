import ssh2 from 'ssh2';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate(twoLayers);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const layer = (flag: string, keypair: boolean) => ({
  role: 'web',
  flag,
  provision: { availability_zone: 'ap-northeast-1a', keypair },
});
const twoLayers = {
  ...oneServer(),
  configurations: [layer('web01', true), layer('api01', true), layer('bare', false)],
};

const ask = async (query: string, token = almanac.userToken(), version = 'v3') =>
  almanac.call('GET', `/${version}/alm/pem?${query}`, { token: await token });
const linkTo = async (flag: string): Promise<string> =>
  String((await ask(`stack_id=${stackId}&flag=${flag}`)).body.data);
const publicPart = (pem: string): string => {
  const key = ssh2.utils.parseKey(pem);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
};

describe('a link to a private key', () => {
  it('a key link is an absolute URL in a map of strings', async () => {
    const answer = await ask(`stack_id=${stackId}&flag=web01`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({ status: 'success', data: expect.any(String) });
    const prefix = `${almanac.url}/v3/alm/pem/`;
    expect(String(answer.body.data).slice(0, prefix.length)).toBe(prefix);
    expect(String(answer.body.data).slice(prefix.length)).toMatch(/^[0-9A-Za-z]{43}$/);
  });

  it('a key link returns the key without a token five times, then no more', async () => {
    const link = await linkTo('web01');
    const keys: string[] = [];
    for (let read = 0; read < 5; read += 1) {
      const answer = await fetch(link);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      keys.push(await answer.text());
    }
    expect(new Set(keys).size).toBe(1);
    expect(publicPart(keys[0] ?? '')).toMatch(/^ssh-ed25519 /);
    expect((await fetch(link)).status).toBe(404);
  });

  it('every download by a key link is in the audit log, with who asked for the link and from where it was read', async () => {
    const link = await linkTo('api01');
    const token = await almanac.userToken();
    const downloads = async () =>
      (
        await almanac.call<Json[]>('GET', `/v3/audit?limit=1000&resource=mrn:alm:stack:${stackId}`, { token })
      ).body.filter(({ route }) => route === 'v3ReadKey');
    const before = (await downloads()).length;
    await Promise.all([fetch(link), fetch(link)]);
    const entries = await downloads();
    expect(entries).toHaveLength(before + 2);
    expect(entries[0]).toMatchObject({
      actor_kind: 'user',
      actor: 'root',
      action: 'stack:describePem',
      address: '127.0.0.1',
      detail: 'downloaded the private key of layer api01 with a link, without a token',
    });
    expect(JSON.stringify(entries)).not.toContain(link.split('/').at(-1));
  });

  it('a key link is for one layer: other layers have other keys', async () => {
    const [web = '', again = '', api = ''] = await Promise.all(
      ['web01', 'web01', 'api01'].map(async (flag) => (await fetch(await linkTo(flag))).text()),
    );
    expect(publicPart(again)).toBe(publicPart(web));
    expect(publicPart(api)).not.toBe(publicPart(web));
  });

  it('a key link is stored as a digest, expires, and appears in events without its secret', async () => {
    const secret = (await linkTo('api01')).split('/').at(-1) ?? '';
    const { query } = almanac.service.database;
    const rows = await query.selectFrom('pem_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    await query
      .updateTable('pem_links')
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect((await fetch(`${almanac.url}/v3/alm/pem/${secret}`)).status).toBe(404);
    const events = await almanac.call<Json[]>('GET', `/v3/alm/stack/${stackId}/events`, {
      token: await almanac.userToken(),
    });
    const last = events.body.at(-1);
    expect(last?.message).toBe('root asked for a link to the private key of layer api01.');
    expect(events.text).not.toContain(secret);
    expect(events.text).not.toContain('PRIVATE KEY-----');
  });

  it('an unknown key link, or one whose stack is deleted, returns nothing', async () => {
    expect((await fetch(`${almanac.url}/v3/alm/pem/${'x'.repeat(43)}`)).status).toBe(404);
    const gone = await almanac.applyTemplate();
    await almanac.waitFor(gone, 'CREATE_COMPLETE');
    const link = String((await ask(`stack_id=${gone}`)).body.data);
    await almanac.call('DELETE', `/v3/alm/stack/${gone}?servers=replace`, {
      token: await almanac.userToken(),
    });
    await almanac.waitFor(gone, 'DELETE_COMPLETE');
    expect((await fetch(link)).status).toBe(404);
    expect((await ask(`stack_id=${gone}`)).status).toBe(404);
  });
});

describe('creating a key link', () => {
  it('without a flag, the only layer with a key pair is used, otherwise the error lists them', async () => {
    const several = await ask(`stack_id=${stackId}`);
    expect(several.status).toBe(400);
    expect(several.body).toMatchObject({ code: '1000', message: 'flag not specified' });
    expect(several.body.description).toContain('web01, api01');
    const only = await almanac.applyTemplate();
    expect((await ask(`stack_id=${only}`)).status).toBe(200);
  });

  it('creating a key link requires a stack and a layer with a key pair', async () => {
    expect((await ask('')).status).toBe(400);
    expect((await ask(`stack_id=${stackId}&flag=bare`)).status).toBe(404);
    expect((await ask(`stack_id=${stackId}&flag=wrong`)).status).toBe(404);
    expect((await ask('stack_id=mo-unknown')).status).toBe(404);
  });

  it('agents, API clients and other accounts cannot create key links', async () => {
    const query = `stack_id=${stackId}&flag=web01`;
    expect((await ask(query, almanac.stackToken(stackId))).status).toBe(403);
    expect((await ask(query, almanac.clientToken())).status).toBe(403);
    expect((await ask(query, almanac.otherAccountToken())).status).toBe(404);
  });

  it('key links on /v2 are for v2 stacks', async () => {
    const id = await almanac.applyTemplate();
    await almanac.waitFor(id, 'CREATE_COMPLETE');
    expect((await ask(`stack_id=${id}`, almanac.clientToken(), 'v2')).status).toBe(404);
    await almanac.service.database.query
      .updateTable('stacks')
      .set({ language: 'v2' })
      .where('id', '=', id)
      .execute();
    const answer = await ask(`stack_id=${id}`, almanac.clientToken(), 'v2');
    expect(answer.body).toMatchObject({ status: 'success' });
    expect(await (await fetch(String(answer.body.data))).text()).toContain('PRIVATE KEY-----');
    expect((await ask(`stack_id=${id}`, almanac.stackToken(stackId), 'v2')).status).toBe(403);
    expect((await ask('', almanac.clientToken(), 'v2')).status).toBe(400);
  });
});
