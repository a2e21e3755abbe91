import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentConfig, readAgentConfig } from '../../../src/operations/agents/agent-config.ts';
import { clientActor, stackActor, userActor } from '../../actors.ts';
import { World } from '../../world.ts';
import { adminRole } from '../with-role.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const gitKey = '-----BEGIN KEY-----\nabc\n-----END KEY-----';
const container = {
  container_image: 'http://images.example/web:1',
  container_registry_username: 'robot',
  container_registry_password: 'registry-secret',
  container_git_repo: 'git@example.com:site.git',
  container_git_private_key: gitKey,
  container_env_vars: { MODE: 'live', COLOUR: 'blue' },
  container_ports: [80],
};

const layer = (flag: string, content?: object, provision: object = {}) => ({
  role: 'web',
  flag,
  provision: { availability_zone: 'ap-northeast-1a', ...provision },
  ...(content ? { container: content } : {}),
});
const template = (...configurations: object[]) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations,
});

const agent = (stackId: string) => stackActor(world.actor.accountId, stackId);
const read = (stackId: string, flag: string, actor = agent(stackId)) =>
  readAgentConfig(world.service, actor, { stackId, flag });
const updatedOf = async (stackId: string, flag: string): Promise<number> =>
  (await read(stackId, flag))?.updated ?? 0;
const nowSeconds = () => Math.floor(world.clock.now() / 1000);

const openedSecrets = (config: AgentConfig | undefined) => ({
  password: config?.registryPassword?.reveal(),
  key: config?.gitPrivateKey?.reveal(),
});

describe('the agent configuration', () => {
  it('contains the container of the template, with its secrets unsealed', async () => {
    const stack = await world.create(template(layer('web0', container), layer('bare')));
    const config = await read(stack, 'web0');
    expect(config).toMatchObject({
      image: 'images.example/web:1',
      registryUsername: 'robot',
      gitRepository: 'git@example.com:site.git',
      gitReference: 'master',
      ports: [80],
      environment: { MODE: 'live', COLOUR: 'blue' },
      updated: nowSeconds(),
    });
    expect(openedSecrets(config)).toEqual({ password: 'registry-secret', key: gitKey });
    expect(await read(stack, 'bare')).toBeUndefined();
    expect(await read(stack, 'wrong')).toBeUndefined();
  });

  it('contains secrets for agents, API clients and the master, but not for other users', async () => {
    const stack = await world.create(template(layer('web0', container)));
    const { accountId } = world.actor;
    const colleague = userActor(accountId, { userId: 'u2', username: 'ann' }, [adminRole()]);
    for (const actor of [clientActor(accountId), clientActor(accountId, 'agent'), world.actor])
      expect(openedSecrets(await read(stack, 'web0', actor)).key).toBe(gitKey);
    const config = await read(stack, 'web0', colleague);
    expect(config?.image).toBe('images.example/web:1');
    expect(openedSecrets(config)).toEqual({ password: undefined, key: undefined });
  });

  it('keeps a secret that an update writes as ${sealed}', async () => {
    const stack = await world.create(template(layer('web0', container)));
    const first = await updatedOf(stack, 'web0');
    world.clock.advance(60_000);
    const sealed = { ...container, container_registry_password: '${sealed}' };
    await world.update(stack, template(layer('web0', sealed)));
    expect(openedSecrets(await read(stack, 'web0')).password).toBe('registry-secret');
    expect(await updatedOf(stack, 'web0')).toBe(first);
  });

  it('contains the endpoints of database and cache, unless the user sets the same variables', async () => {
    const rds = { engine: 'mysql', db_instance_type: 'db.t2.micro', storage: 20, replica: 1 };
    const own = { container_image: 'web', container_env_vars: { MO_DATABASE_PORT: '99' } };
    const stack = await world.create(template(layer('web0', own, { rds })));
    const before = await read(stack, 'web0');
    expect(before?.environment).toMatchObject({ MO_DATABASE_PORT: '99' });
    expect(before?.environment).not.toHaveProperty('MO_DATABASE_HOST');
    await world.settle();
    const { outputs } = (await world.describe(stack)).view;
    const output = (key: string) => outputs.find((one) => one.key === key)?.value;
    const after = await read(stack, 'web0');
    expect(output('DBAddress')).toBeTruthy();
    expect(after?.environment).toEqual({
      ...before?.environment,
      ALM_DATABASE_HOST: output('DBAddress'),
      ALM_DATABASE_PORT: output('DBPort'),
      ALM_DATABASE_SLAVE1_HOST: output('DBSlave1Address'),
      ALM_DATABASE_SLAVE_HOSTGROUP: output('DBSlave1Address'),
      MO_DATABASE_HOST: output('DBAddress'),
      MO_DATABASE_PORT: '99',
      MO_DATABASE_SLAVE1_HOST: output('DBSlave1Address'),
      MO_DATABASE_SLAVE_HOSTGROUP: output('DBSlave1Address'),
    });
    // Agents that read the configuration before the database existed must redeploy.
    expect(after?.updated).toBeGreaterThan(before?.updated ?? Infinity);
  });
});

describe('the layer revision', () => {
  const two = (web: object, api: object = { container_image: 'api:1' }) =>
    template(layer('web0', web), layer('api0', api));

  it('rises for the layer that changed and not for the others', async () => {
    const stack = await world.create(two(container));
    const created = nowSeconds();
    await world.settle();
    world.clock.advance(10_000);
    await world.update(stack, two({ ...container, container_image: 'images.example/web:2' }));
    expect(await updatedOf(stack, 'web0')).toBe(nowSeconds());
    expect(await updatedOf(stack, 'api0')).toBe(created);
  });

  it('rises with every change, even within one second and after a change back', async () => {
    const stack = await world.create(two(container));
    const numbers = [await updatedOf(stack, 'web0')];
    for (const image of ['b', 'c', 'a', 'b']) {
      await world.update(stack, two({ ...container, container_image: image }));
      numbers.push(await updatedOf(stack, 'web0'));
    }
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });

  it.each([
    ['a registry password', { container_registry_password: 'another' }, true],
    ['a git key', { container_git_private_key: 'another' }, true],
    ['a git reference', { container_git_reference: 'v2' }, true],
    ['an environment variable', { container_env_vars: { MODE: 'test', COLOUR: 'blue' } }, true],
    ['the order of variables', { container_env_vars: { COLOUR: 'blue', MODE: 'live' } }, false],
    ['nothing', {}, false],
  ])('after a change of %s (%o), rising is %s', async (_, change, rises) => {
    const stack = await world.create(two(container));
    const before = await updatedOf(stack, 'web0');
    world.clock.advance(5_000);
    await world.update(stack, two({ ...container, ...change }));
    expect((await updatedOf(stack, 'web0')) > before).toBe(rises);
  });

  it('is stored with a keyed digest that differs between stacks, so that passwords cannot be guessed from it', async () => {
    const one = await world.create(two(container));
    const other = await world.create(two(container));
    const rows = await world.database.query
      .selectFrom('layer_revisions')
      .selectAll()
      .where('flag', '=', 'web0')
      .execute();
    expect(rows.map((row) => row.stack_id).toSorted()).toEqual([one, other].toSorted());
    expect(new Set(rows.map((row) => row.digest)).size).toBe(2);
  });
});
