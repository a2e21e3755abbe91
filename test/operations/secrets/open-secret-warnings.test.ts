import { expect, it } from 'vitest';
import { openSecretWarnings } from '../../../src/operations/secrets/open-secret-warnings.ts';
import { previewNewStack, previewUpdate } from '../../../src/operations/stacks/read/preview-template.ts';
import { useSecretWorld, withContainers } from './secret-world.ts';

const { world } = useSecretWorld();
const previewOf = (container: object) => previewNewStack(world().service, world().actor, written(container));
const written = (container: object) => ({
  format: 'json' as const,
  text: JSON.stringify(withContainers(container)),
});

const advice =
  'Layer web0: DB_PASSWORD in container_env_vars looks like a secret, and everybody who may see the template can read it. ' +
  'Run "alm secret set db-password", and write container_secrets: { DB_PASSWORD: db-password } instead.';

it('a preview warns of a variable that looks like a secret, with the change to make and without the value', async () => {
  const container = { container_env_vars: { MODE: 'live', DB_PASSWORD: 'correct-horse' } };
  expect((await previewOf(container)).warnings).toEqual([advice]);
  const stackId = await world().create(withContainers({}));
  const update = { stackId, template: written(container) };
  expect((await previewUpdate(world().service, world().actor, update)).warnings).toContain(advice);
});

it.each([
  ['AWS_SECRET_ACCESS_KEY', 'abc', true],
  ['GITHUB', `ghp_${'a'.repeat(36)}`, true],
  ['DATABASE_URL', 'postgres://shop:hunter2@db.internal/shop', true],
  ['KEY', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', true],
  ['DB_PASSWORD_FILE', '/run/secrets/DB_PASSWORD', false],
  ['TOKEN_TTL', '3600', false],
  ['DB_PASSWORD', '', false],
  ['DATABASE_URL', 'postgres://db.internal/shop', false],
])('the variable %s with the value %j is a secret: %s', async (name, value, expected) => {
  const stackId = await world().create(withContainers({ container_env_vars: { [name]: value } }));
  const { model } = await world()
    .database.query.selectFrom('versions')
    .select('model')
    .where('stack_id', '=', stackId)
    .executeTakeFirstOrThrow();
  expect(openSecretWarnings(JSON.parse(model) as never).length > 0).toBe(expected);
});
