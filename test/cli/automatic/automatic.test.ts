import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeServer, sendJson } from '../rough/fake-server.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const state = {
  stack_id: 'mo-1',
  paused: true,
  paused_by: 'ann',
  paused_at: '2030-01-01T00:00:00.000Z',
  layers: [
    {
      flag: 'web0',
      track: 'root/shop:^1.2',
      image: `registry.test/root/shop:1.2.0@${digest}`,
      digest,
      would_have_deployed: {
        tag: '1.3.0',
        digest: `sha256:${'cd'.repeat(32)}`,
        at: '2030-01-01T00:00:00.000Z',
      },
    },
  ],
  deploy_hook: true,
  last_version: {
    version_id: 'v2',
    cause: 'root/shop:1.2.0 was pushed (sha256:abababababab…)',
    created_at: '2030-01-01T00:00:00.000Z',
  },
};
const hook = { stack_id: 'mo-1', url: 'https://almanac.test/v3/alm/hooks/deploy/h1', secret: 'almh_secret' };
const shownHook = {
  stack_id: 'mo-1',
  exists: true,
  url: hook.url,
  created_by: 'ann',
  created_at: '2030-01-01T00:00:00.000Z',
  last_used_at: null,
  last_result: '',
};

let user: AlmUser;
let server: FakeServer;
beforeEach(async () => {
  server = await FakeServer.start(({ method, path }, response) => {
    if (path.endsWith('/automatic')) return sendJson(response, 200, state);
    if (method === 'POST') return sendJson(response, 200, hook);
    return sendJson(response, 200, method === 'GET' ? shownHook : { status: 'success' });
  });
  user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' });
});
afterEach(() => {
  server.close();
  user.close();
});

describe('alm automatic', () => {
  it('show tells what layers follow, what was missed, who paused, and the last automatic version', async () => {
    const { code, stdout, stderr } = await user.run(['automatic', 'show', 'mo-1', '--wide']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/web0 +root\/shop:\^1\.2 +sha256:abababababab +1\.3\.0 sha256:cdcdcdcdcdcd/);
    expect(stderr).toContain('Paused by ann');
    expect(stderr).toContain('It has a deploy hook.');
    expect(stderr).toContain('root/shop:1.2.0 was pushed');
    expect(server.calls).toEqual(['GET /v3/alm/stack/mo-1/automatic']);
  });

  it('pause and resume change the switch and show the state after it', async () => {
    expect(await user.json(['automatic', 'pause', 'mo-1', '--fmt', 'json'])).toMatchObject({ paused: true });
    expect((await user.run(['automatic', 'resume', 'mo-1'])).code).toBe(0);
    expect(server.calls).toEqual(['PUT /v3/alm/stack/mo-1/automatic', 'PUT /v3/alm/stack/mo-1/automatic']);
  });
});

describe('alm deploy-hook', () => {
  it('create prints the URL and the secret, and says that they are shown once', async () => {
    const { code, stdout, stderr } = await user.run(['deploy-hook', 'create', 'mo-1']);
    expect([code, JSON.parse(stdout)]).toEqual([0, hook]);
    expect(stderr).toContain('shown only once');
  });

  it('show tells who made it and never the secret; delete removes it', async () => {
    const shown = await user.run(['deploy-hook', 'show', 'mo-1', '--fmt', 'table']);
    expect(shown.stdout).toMatch(/created_by +ann/);
    expect(shown.stdout).not.toContain('last_used_at');
    expect((await user.run(['deploy-hook', 'delete', 'mo-1'])).code).toBe(0);
    expect(server.calls.at(-1)).toBe('DELETE /v3/alm/stack/mo-1/deploy-hook');
  });
});
