import { describe, expect, it } from 'vitest';
import { syncRegistry } from '../../../src/operations/registry/images/sync.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { RegistryCaller } from '../registry/registry-caller.ts';
import { useAutomatic, withContainers } from './automatic-caller.ts';

const automatic = useAutomatic();
const {
  almanac,
  registry,
  clock,
  push,
  announce,
  deploy,
  pushAndDeploy,
  create,
  versionsOf,
  imagesOf,
  eventsOf,
} = automatic;
const access = new AccessCaller(almanac);

const following = async (track: string, more: object = {}, token?: string): Promise<string> => {
  const made = await create(withContainers({ track, ...more }), token);
  expect(made.status, made.text).toBe(201);
  return String(made.body.stack_id);
};

describe('a layer that follows an image of the registry', () => {
  it('begins with the present content if it names no image, and gets each newer content that is pushed', async () => {
    const first = await push('root/shop', 'latest', 'one');
    const stackId = await following('root/shop:latest');
    expect(await imagesOf(stackId)).toEqual([`root/shop:latest@${first}`]);
    const second = await pushAndDeploy('root/shop', 'latest', 'two');
    expect(await imagesOf(stackId)).toEqual([`root/shop:latest@${second}`]);
    const cause = `root/shop:latest was pushed (${second.slice(0, 19)}…)`;
    expect(await versionsOf(stackId)).toMatchObject([
      { latest: true, created_by: 'root', cause },
      { cause: '' },
    ]);
    expect(await eventsOf(stackId)).toContain(`${cause}. The stack is updated in the name of root.`);
    const audit = almanac.service.database.query.selectFrom('audit').selectAll();
    expect(await audit.where('detail', '=', cause).execute()).toMatchObject([
      { actor: 'root', client_id: 'automatic', action: 'template:updateAlmTemplate', decision: 'allowed' },
    ]);
    const agent = { token: await almanac.stackToken(stackId) };
    expect(await new RegistryCaller(almanac).may(agent, 'root/shop')).toEqual(['root/shop:pull']);
  });

  it('gets a push whose announcement was lost when the registry is read again', async () => {
    await push('root/lost', 'latest', 'one');
    const stackId = await following('root/lost:latest');
    const digest = registry().push('root/lost', 'latest', { layer: 'two' });
    await syncRegistry(almanac.service);
    clock.advance(10_000);
    await deploy();
    expect(await imagesOf(stackId)).toEqual([`root/lost:latest@${digest}`]);
  });

  it('keeps the image that it names until the next push', async () => {
    await push('root/named', 'latest', 'one');
    const image = 'example/first:1';
    const stackId = await following('root/named:latest', { container_image: image });
    expect(await imagesOf(stackId)).toEqual([image]);
    const digest = await pushAndDeploy('root/named', 'latest', 'two');
    expect(await imagesOf(stackId)).toEqual([`root/named:latest@${digest}`]);
  });

  it('gets one version if the push is announced twice, also to two servers, and also after a rollback', async () => {
    await push('root/twice', 'latest', 'one');
    const stackId = await following('root/twice:latest');
    const digest = await push('root/twice', 'latest', 'two');
    await announce('root/twice', 'latest', digest);
    await Promise.all([deploy(), deploy()]);
    await announce('root/twice', 'latest', digest);
    clock.advance(10_000);
    await deploy();
    const versions = await versionsOf(stackId);
    expect(versions).toHaveLength(2);
    await almanac.call('POST', `/v3/alm/stack/${stackId}/rollback`, {
      token: await almanac.userToken(),
      json: { version_id: versions[1]?.['version_id'] },
    });
    await announce('root/twice', 'latest', digest);
    clock.advance(10_000);
    await deploy();
    expect(await versionsOf(stackId)).toHaveLength(3);
  });

  it('gets the newest version of its range, whatever is pushed in which order, and never an older one', async () => {
    await push('root/range', '1.2.0');
    const stackId = await following('root/range:^1.2');
    const newest = await pushAndDeploy('root/range', '1.10.0');
    for (const tag of ['1.9.0', '2.0.0', '1.11.0-rc.1', 'latest']) await pushAndDeploy('root/range', tag);
    expect(await imagesOf(stackId)).toEqual([`root/range:1.10.0@${newest}`]);
    const again = await pushAndDeploy('root/range', '1.10.0', 'built again');
    expect(await imagesOf(stackId)).toEqual([`root/range:1.10.0@${again}`]);
    expect(await versionsOf(stackId)).toHaveLength(3);
  });

  it('gets at most one version in ten seconds, with the last push', async () => {
    await push('root/often', 'latest', 'one');
    const stackId = await following('root/often:latest');
    await pushAndDeploy('root/often', 'latest', 'two');
    await push('root/often', 'latest', 'three');
    await deploy();
    const last = await push('root/often', 'latest', 'four');
    clock.advance(9_999);
    await deploy();
    expect(await versionsOf(stackId)).toHaveLength(2);
    clock.advance(1);
    await deploy();
    expect(await versionsOf(stackId)).toHaveLength(3);
    expect(await imagesOf(stackId)).toEqual([`root/often:latest@${last}`]);
  });

  it('shares one version with the other layers of its stack, and keeps the changes that people made', async () => {
    await push('root/both', 'latest', 'one');
    const made = await create(withContainers({ track: 'root/both:latest' }, { image: 'nginx:1' }));
    const stackId = String(made.body.stack_id);
    const token = await almanac.userToken();
    const template = withContainers(
      { track: 'root/both:latest' },
      { track: 'root/both:latest', image: 'nginx:1' },
    );
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, {
      token,
      json: { ...template, label: 'by hand' },
    });
    const digest = await pushAndDeploy('root/both', 'latest', 'two');
    const image = `root/both:latest@${digest}`;
    expect(await imagesOf(stackId)).toEqual([image, image]);
    expect(await versionsOf(stackId)).toHaveLength(3);
    expect(await automatic.templateOf(stackId)).toMatchObject({ label: 'by hand' });
  });

  it('is not followed any more once the template says so, nor after the stack was deleted', async () => {
    await push('root/left', 'latest', 'one');
    const stackId = await following('root/left:latest');
    const deleted = await following('root/left:latest');
    const token = await almanac.userToken();
    const json = withContainers({ image: 'nginx:1' });
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json });
    await almanac.call('DELETE', `/v3/alm/stack/${deleted}`, { token });
    await pushAndDeploy('root/left', 'latest', 'two');
    expect(await versionsOf(stackId)).toHaveLength(2);
    const rows = almanac.service.database.query.selectFrom('versions').select('id');
    expect(await rows.where('stack_id', '=', deleted).execute()).toHaveLength(1);
  });
});

describe('a push that a layer follows', () => {
  it('is not deployed if the user of the version is gone or may no longer update the stack; an event says why', async () => {
    const bob = await access.makeUser('bob');
    await push('bob/shop', 'latest', 'one');
    const stackId = await following('bob/shop:latest', {}, bob.token);
    const role = await access.makeRole(
      'looks only',
      JSON.stringify({
        Version: '2017-05-05',
        Statement: [{ Effect: 'Allow', Action: ['stack:describe*', 'registry:*'], Resource: ['*'] }],
      }),
    );
    await access.call('POST', '/v3/user/role', { json: { username: 'bob', role_id: role } });
    await pushAndDeploy('bob/shop', 'latest', 'two');
    expect(await versionsOf(stackId)).toHaveLength(1);
    expect((await eventsOf(stackId)).at(-1)).toContain('It was not deployed: RBAC response is limited.');
    await access.call('DELETE', '/v3/user/bob');
    await pushAndDeploy('bob/shop', 'latest', 'three');
    expect(await versionsOf(stackId)).toHaveLength(1);
    expect((await eventsOf(stackId)).at(-1)).toContain('no longer exists');
  });

  it('is not deployed if the user of the version may no longer pull', async () => {
    const cid = await access.makeUser('cid');
    await push('root/lent', 'latest', 'one');
    const scope = (actions: string[]) =>
      JSON.stringify({
        Version: '2017-05-05',
        Statement: [{ Effect: 'Allow', Action: actions, Resource: ['*'] }],
      });
    const lent = await access.makeRole('lent', scope(['registry:pull']));
    const all = await access.makeRole('all', scope(['stack:*', 'template:*', 'cred:*', 'vendor:*']));
    for (const role_id of [lent, all])
      await access.call('POST', '/v3/user/role', { json: { username: 'cid', role_id } });
    const stackId = await following('root/lent:latest', {}, cid.token);
    await access.call('DELETE', `/v3/role/${lent}`);
    await pushAndDeploy('root/lent', 'latest', 'two');
    expect(await versionsOf(stackId)).toHaveLength(1);
    expect((await eventsOf(stackId)).at(-1)).toContain('You are not allowed to pull root/lent');
  });
});

describe('a template that follows', () => {
  const refusal = async (container: object, token?: string) => {
    const answer = await create(withContainers(container), token);
    return [answer.status, answer.body.message];
  };

  it('an image of another registry is refused', async () => {
    for (const track of ['ghcr.io/ann/shop:1', 'localhost:5000/ann/shop:1', 'nginx:latest'])
      expect(await refusal({ track, image: 'nginx:1' })).toEqual([
        400,
        expect.stringContaining(
          'configurations/0/container/track: is not in the registry of this server. Only that one is followed',
        ),
      ]);
  });

  it('something that was never pushed is refused, unless it names an image to begin with', async () => {
    const [status, message] = await refusal({ track: 'root/later:latest' });
    expect([status, message]).toEqual([400, expect.stringContaining('has no image yet. Push one first')]);
    expect((await refusal({ track: 'root/later:latest', image: 'nginx:1' }))[0]).toBe(201);
  });

  it('something other than an image is refused', async () => {
    for (const track of ['root/shop', 'root/shop:^one', 'root/shop@sha256:0'])
      expect((await refusal({ track }))[0]).toBe(400);
  });

  it('what its sender may not pull is refused', async () => {
    const eve = await access.makeUser('eve');
    await push('root/hidden', 'latest');
    expect((await refusal({ track: 'root/hidden:latest' }, eve.token))[0]).toBe(403);
    expect((await refusal({ track: 'root/hidden:latest', image: 'nginx:1' }, eve.token))[0]).toBe(403);
  });
});
