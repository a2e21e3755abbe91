import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { createUser, removeUser } from '../../../src/operations/access/users.ts';
import { describeSecrets, removeSecret } from '../../../src/operations/secrets/secrets.ts';
import { giveUngivenSecrets } from '../../../src/operations/stacks/change/set-secret.ts';
import { readVersions } from '../../../src/operations/stacks/read/read-versions.ts';
import { clientActor } from '../../actors.ts';
import { useSecretWorld, withContainers } from './secret-world.ts';

const { world, set, config, given, revision, rollouts } = useSecretWorld();

const fail = (error: unknown): never => {
  throw error;
};
const password = { container_secrets: { DB_PASSWORD: 'db-password' } };
const key = { container_secrets: { TLS_KEY: { secret: 'tls-key', as: 'file' } } };

describe('a secret of the account', () => {
  it('reaches the agents of a stack that uses it, as a variable or as a file', async () => {
    await set('db-password', 'correct horse');
    await set('tls-key', 'line 1\nline 2\n');
    const both = { container_secrets: { ...password.container_secrets, ...key.container_secrets } };
    const stackId = await world().create(withContainers(both));
    expect(await given(stackId)).toEqual({
      variables: { DB_PASSWORD: 'correct horse' },
      files: { TLS_KEY: 'line 1\nline 2\n' },
    });
  });

  it('reaches API clients of agents, and no user, not even the master', async () => {
    await set('db-password', 'correct horse');
    const stackId = await world().create(withContainers(password));
    const { accountId } = world().actor;
    expect((await given(stackId, 'web0', clientActor(accountId, 'agent'))).variables).toEqual({
      DB_PASSWORD: 'correct horse',
    });
    expect((await given(stackId, 'web0', world().actor)).variables).toEqual({});
    expect((await config(stackId, 'web0', world().actor))?.environment).toEqual({});
  });

  it('must exist before a template uses it: the refusal names the command', async () => {
    await expect(world().create(withContainers({}, password))).rejects.toMatchObject({
      kind: 'invalid_template',
      problems: [
        {
          path: 'configurations/1/container/container_secrets',
          message: 'uses secret db-password, which does not exist. Set it first: alm secret set db-password.',
        },
      ],
    });
  });

  it.each([
    ['is empty', ''],
    ['contains a NUL character', 'a\0b'],
    ['is larger than 65536 bytes', 'ä'.repeat(32_769)],
  ])('is refused if its value %s', async (problem, value) => {
    await expect(set('db-password', value)).rejects.toThrow(problem);
  });

  it('is listed with the stacks that use it', async () => {
    await set('db-password', 'one');
    await set('unused', 'two');
    const stackId = await world().create(withContainers(password));
    const listed = await describeSecrets(world().service, world().actor);
    expect(listed).toMatchObject([
      { row: { name: 'db-password', revision: 1, updated_by: 'root' }, stacks: [{ id: stackId }] },
      { row: { name: 'unused' }, stacks: [] },
    ]);
    expect(Object.keys(listed[0]?.row ?? {})).not.toContain('sealed_value');
  });

  it('of a deleted user belongs to the master, not to a later user of the same name', async () => {
    const { service, actor } = world();
    const chosen = new Secret('a horse that ann rides 12');
    await createUser(service, actor, { username: 'ann', email: '', password: chosen });
    await set('db-password', 'one', { ...actor, username: 'ann' } as typeof actor);
    expect(await describeSecrets(service, actor)).toMatchObject([{ row: { created_by: 'ann' } }]);
    await removeUser(service, actor, 'ann');
    expect(await describeSecrets(service, actor)).toMatchObject([{ row: { created_by: 'root' } }]);
  });
});

describe('a new value of a secret', () => {
  it('begins a rollout of the layers that use it, with its cause and without a new version', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password, {}));
    await world().settle();
    const before = [await revision(stackId, 'web0'), await revision(stackId, 'web1')];
    const { status } = await world().describe(stackId);
    world().clock.advance(60_000);
    expect(await set('db-password', 'two')).toEqual({ isChanged: true, stacks: [stackId] });
    expect((await given(stackId)).variables).toEqual({ DB_PASSWORD: 'two' });
    expect(await revision(stackId, 'web0')).toBeGreaterThan(before[0] as number);
    expect(await revision(stackId, 'web1')).toBe(before[1]);
    await world().settle();
    expect((await rollouts(stackId))[0]).toMatchObject({
      flag: 'web0',
      state: 'serving',
      cause: 'Secret db-password changed.',
    });
    expect((await world().describe(stackId)).status).toBe(status);
    expect(await world().story(stackId)).toContain(
      'root changed secret db-password. Layers web0 are deployed again.',
    );
    const versions = await readVersions(world().service, world().actor, { stackId });
    expect(versions).toHaveLength(1);
  });

  it('that equals the old one changes nothing', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    const before = await revision(stackId);
    world().clock.advance(60_000);
    expect(await set('db-password', 'one')).toEqual({ isChanged: false, stacks: [] });
    expect(await revision(stackId)).toBe(before);
  });

  it('that a server stored before it ended reaches the stacks later, and once', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    await world().settle();
    const before = await revision(stackId);
    await world()
      .database.query.updateTable('account_secrets')
      .set({ revision: 2, updated_by: 'ann' })
      .execute();
    world().clock.advance(60_000);
    await giveUngivenSecrets(world().service, fail);
    const after = await revision(stackId);
    expect(after).toBeGreaterThan(before);
    world().clock.advance(60_000);
    await giveUngivenSecrets(world().service, fail);
    expect(await revision(stackId)).toBe(after);
  });

  it('does not deploy again what an update that keeps the container deploys', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    await set('db-password', 'two');
    const before = await revision(stackId);
    world().clock.advance(60_000);
    await world().update(stackId, { ...withContainers(password), label: 'second' });
    expect(await revision(stackId)).toBe(before);
  });
});

describe('deleting a secret', () => {
  it('is refused while a stack uses it, with the name of the stack', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    const { nickname } = await world().row(stackId);
    await expect(removeSecret(world().service, world().actor, 'db-password')).rejects.toThrow(
      `Secret db-password is in use by ${nickname} (${stackId})`,
    );
  });

  it('is refused while a stack may go back to a version that uses it, and works after that', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    await world().settle();
    await world().update(stackId, withContainers({}));
    await expect(removeSecret(world().service, world().actor, 'db-password')).rejects.toThrow('is in use');
    await world().settle();
    await removeSecret(world().service, world().actor, 'db-password');
    expect(await describeSecrets(world().service, world().actor)).toEqual([]);
  });

  it('works after the stack is deleted', async () => {
    await set('db-password', 'one');
    const stackId = await world().create(withContainers(password));
    await world().settle();
    await world().delete(stackId);
    await world().settle();
    await removeSecret(world().service, world().actor, 'db-password');
    expect(await describeSecrets(world().service, world().actor)).toEqual([]);
  });
});
