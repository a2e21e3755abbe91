import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAgentConfig } from '../../../src/operations/agents/agent-config.ts';
import { cancelUpdate } from '../../../src/operations/stacks/change/cancel-update.ts';
import { rollBack } from '../../../src/operations/stacks/change/roll-back.ts';
import { readVersions } from '../../../src/operations/stacks/read/read-versions.ts';
import { updateTemplate } from '../../../src/operations/stacks/submit/apply-template.ts';
import { stackActor, userActor } from '../../actors.ts';
import { World, written } from '../../world.ts';
import { adminRole } from '../with-role.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const rds = { engine: 'mysql', db_instance_type: 'db.t2.micro', storage: 20 };
const template = (provision: object, variables: object = {}) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: { availability_zone: 'ap-northeast-1a', ...provision },
      container: { container_image: 'web', container_env_vars: variables },
    },
  ],
});

/** Confirms that the database is removed. */
const keep = { fingerprint: '', data: 'keep' } as const;

const agent = (stackId: string) => stackActor(world.actor.accountId, stackId);
const environmentOf = async (stackId: string, actor = agent(stackId)) =>
  (await readAgentConfig(world.service, actor, { stackId, flag: 'web0' }))?.environment ?? {};
const passwordOf = async (stackId: string) => (await environmentOf(stackId))['MO_DATABASE_PASSWORD'];
const newest = async (stackId: string) =>
  (await readVersions(world.service, world.actor, { stackId }))[0]?.id ?? '';

describe('the password of a stack’s databases', () => {
  it('is generated with the stack, differs between stacks, and only agents see it', async () => {
    const stack = await world.create(template({ rds }));
    const password = await passwordOf(stack);
    expect(password).toMatch(/^[0-9A-Za-z]{30}$/);
    expect(await environmentOf(stack)).toEqual({
      ALM_DATABASE_NAME: 'app',
      ALM_DATABASE_USERNAME: 'app',
      ALM_DATABASE_PASSWORD: password,
      MO_DATABASE_NAME: 'app',
      MO_DATABASE_USERNAME: 'app',
      MO_DATABASE_PASSWORD: password,
    });
    expect(await passwordOf(await world.create(template({ rds })))).not.toBe(password);
    expect(JSON.stringify(await world.describe(stack))).not.toContain(password);
    const { accountId } = world.actor;
    const colleague = userActor(accountId, { userId: 'u2', username: 'ann' }, [adminRole()]);
    expect(JSON.stringify(await environmentOf(stack, colleague))).not.toMatch(/PASSWORD/);
  });

  it('is stored nowhere in plain text', async () => {
    const stack = await world.create(template({ rds }));
    const password = (await passwordOf(stack)) ?? '';
    const { query } = world.database;
    const stored = [
      await query.selectFrom('versions').selectAll().execute(),
      await query.selectFrom('version_secrets').selectAll().execute(),
      await query.selectFrom('stacks').selectAll().execute(),
      await query.selectFrom('events').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain(password);
  });

  it('does not exist without a database, and is generated when one is added', async () => {
    const stack = await world.create(template({}));
    expect(await environmentOf(stack)).toEqual({});
    await world.update(stack, template({ rds }));
    expect(await passwordOf(stack)).toMatch(/^[0-9A-Za-z]{30}$/);
  });

  it('stays the same through updates, cancelled updates and rollbacks', async () => {
    const stack = await world.create(template({}));
    const bare = await newest(stack);
    await world.settle();
    await world.update(stack, template({ rds }));
    const withDatabase = await newest(stack);
    const password = await passwordOf(stack);
    // The version that a cancelled update restores has no password.
    await cancelUpdate(world.service, world.actor, { stackId: stack });
    await world.update(stack, template({ rds, instance_type: 't2.small' }));
    expect(await passwordOf(stack)).toBe(password);
    await rollBack(world.service, world.actor, { stackId: stack, versionId: bare, conditions: keep });
    expect(await environmentOf(stack)).toEqual({});
    await rollBack(world.service, world.actor, { stackId: stack, versionId: withDatabase });
    expect(await passwordOf(stack)).toBe(password);
    await updateTemplate(world.service, world.actor, {
      stackId: stack,
      template: written(template({})),
      conditions: keep,
    });
    await world.update(stack, template({ rds }));
    expect(await passwordOf(stack)).toBe(password);
  });

  it('is overridden by variables of the user', async () => {
    const stack = await world.create(
      template({ rds }, { MO_DATABASE_PASSWORD: 'own', ALM_DATABASE_NAME: 'shop' }),
    );
    expect(await environmentOf(stack)).toMatchObject({
      MO_DATABASE_PASSWORD: 'own',
      ALM_DATABASE_NAME: 'shop',
      MO_DATABASE_NAME: 'app',
    });
  });
});
