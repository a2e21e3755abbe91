import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const container = {
  container_image: 'httpd:2.4',
  container_git_repo: 'https://git.example.com/shop.git',
  container_git_private_key: 'a private key',
  container_env_vars: { MODE: 'live' },
};
const layered = (...flags: string[]) => {
  const { configurations, ...rest } = oneServer(1);
  return {
    ...rest,
    configurations: flags.map((flag) => Object.assign({}, configurations[0], { flag, container })),
  };
};
async function created(...flags: string[]): Promise<string> {
  const stackId = await almanac.applyTemplate(layered(...flags));
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return stackId;
}
interface Document {
  configurations: { flag: string; container: Record<string, unknown> }[];
}
const containersOf = async (stackId: string) =>
  (await root.json<Document>(['template', 'describe', stackId])).configurations.map(
    (layer) => layer.container,
  );

describe('alm deploy', () => {
  it('deploys an image and a reference, waits, and keeps everything else, secrets too', async () => {
    const stackId = await created('Web');
    const [before] = await containersOf(stackId);
    const done = await root.run(['deploy', stackId, '--image', 'httpd:2.5', '--ref', 'v2', '--fmt', 'json']);
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('UPDATE_COMPLETE') });
    expect(JSON.parse(done.stdout)).toMatchObject({ stack_id: stackId, stack_status: 'UPDATE_COMPLETE' });
    expect(await containersOf(stackId)).toEqual([
      { ...before, container_image: 'httpd:2.5', container_git_reference: 'v2' },
    ]);
    expect(before?.container_git_private_key).toBe('${sealed}');
  });

  it('of several layers with containers changes only the one that is named', async () => {
    const stackId = await created('Web', 'Api');
    expect(await root.run(['deploy', stackId, '--image', 'httpd:2.5'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--flag <layer>'),
    });
    expect(await root.run(['deploy', stackId, '--image', 'httpd:2.5', '--flag', 'Api'])).toMatchObject({
      code: 0,
    });
    const images = (await containersOf(stackId)).map((each) => each.container_image);
    expect(images).toEqual(['httpd:2.4', 'httpd:2.5']);
  });

  it('needs an image or a reference, and a stack that runs a container', async () => {
    const stackId = await almanac.applyTemplate(oneServer(1));
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    expect(await root.run(['deploy', stackId])).toMatchObject({ code: 2 });
    expect(await root.run(['deploy', stackId, '--ref', 'v2'])).toMatchObject({ code: 7 });
  });

  it('deploys to a v2 stack, and restarts it', async () => {
    const env = { ALM_API_VERSION: 'v2' };
    const code = ['--code', 'https://git.example.com/shop.git', '--nickname', 'old'];
    const flags = ['--cred', 'SANDBOX', '--vendor', 'sandbox', ...code, '--wait', '--fmt', 'json'];
    await root.json(['stack', 'create', ...flags], { env });
    expect(await root.run(['deploy', 'old', '--ref', 'v2'], { env })).toMatchObject({ code: 0 });
    expect(await root.run(['deploy', 'old', '--image', 'httpd:2.5'], { env })).toMatchObject({ code: 0 });
    expect(await root.run(['restart', 'old'], { env })).toMatchObject({ code: 0 });
    const shown = await root.json(['svrconf', 'show', '-i', 'old'], { env });
    expect(shown).toMatchObject({ gitReference: 'v2', image: 'httpd:2.5' });
    expect(shown.environmentVariables).toEqual([{ name: 'ALM_RESTARTED_AT', value: expect.any(String) }]);
  });
});

describe('alm restart', () => {
  it('makes a new version whose containers differ in one variable only', async () => {
    const stackId = await created('Web');
    const [before] = await containersOf(stackId);
    expect(await root.run(['restart', stackId])).toMatchObject({ code: 0 });
    const [after] = await containersOf(stackId);
    expect(after).toEqual({
      ...before,
      container_env_vars: { MODE: 'live', ALM_RESTARTED_AT: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });
});

describe('alm open', () => {
  it('prints the address of a page of the console, and starts a browser only on a terminal', async () => {
    const stackId = await created('Web');
    const url = `${almanac.url}/console/stack/${stackId}`;
    expect(await root.run(['open', stackId], { env: { BROWSER: 'false' } })).toMatchObject({
      code: 0,
      stdout: `${url}\n`,
      stderr: '',
    });
    const session = new PtySession(
      root,
      ['open'],
      { BROWSER: '/nonexistent/browser' },
      { cols: 200, rows: 30 },
    );
    expect(await session.ended(120)).toBe(0);
    expect(session.seen).toContain(`${almanac.url}/console/`);
    expect(session.seen).toContain('No browser could be started');
  });
});
