import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../../open-database.ts';
import { oneServer } from '../../world.ts';
import { first, type Json, recordLog, useServedAlmanac } from '../served-almanac.ts';

const { log, lines: logged } = recordLog();
const almanac = useServedAlmanac({ log });
let token: string;
beforeAll(async () => {
  token = await almanac.userToken();
});

const secrets = {
  vendor: 'vendor-secret-4711',
  gitKey: '-----BEGIN OPENSSH PRIVATE KEY-----\ngit-key-4712\n-----END OPENSSH PRIVATE KEY-----\n',
  registry: 'registry-password-4713',
};
const everySecret = [secrets.vendor, 'git-key-4712', secrets.registry];

const withSecrets = (container: object = {}) => {
  const template = oneServer();
  const [layer] = template.configurations;
  return {
    ...template,
    vendor: { sandbox: { cred: 'MINE', region: 'ap-northeast-1', secret: secrets.vendor } },
    configurations: [
      {
        ...layer,
        container: {
          container_image: 'shop/web:1',
          container_registry_username: 'shop',
          container_registry_password: secrets.registry,
          container_git_repo: 'git@git.example.com:shop/site.git',
          container_git_private_key: secrets.gitKey,
          ...container,
        },
      },
    ],
  };
};

const readEverything = async (): Promise<string> => {
  const { query, engine } = almanac.service.database;
  const catalog =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`;
  const tables = (await catalog.execute(query)).rows;
  const rows = await Promise.all(
    tables.map(async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(query)).rows),
  );
  return JSON.stringify(rows);
};

const showsSecret = (text: string) => everySecret.filter((secret) => text.includes(secret));

describe('a secret in a template', () => {
  it('a secret is used but never returned, and appears as ${sealed}', async () => {
    const stackId = await almanac.applyTemplate(withSecrets());
    const stack = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const configuration = stack.configuration as { vendor: Json; configurations: { container: Json }[] };
    expect(configuration.vendor).toEqual({ sandbox: { cred: 'MINE', region: 'ap-northeast-1' } });
    expect(configuration.configurations[0]?.container).toMatchObject({
      container_registry_password: '${sealed}',
      container_git_private_key: '${sealed}',
    });
    for (const path of [`/v3/alm/stack/${stackId}`, '/v3/alm/stack', `/v3/alm/stack/${stackId}/events`])
      expect(showsSecret((await almanac.call('GET', path, { token })).text)).toEqual([]);
  });

  it('the credential of a template is saved, and later templates can name it without the secret', async () => {
    const { secret: _, ...sandbox } = withSecrets().vendor.sandbox;
    const stackId = await almanac.applyTemplate({ ...oneServer(), vendor: { sandbox } });
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  });

  it('an update with ${sealed} keeps the secret', async () => {
    const stackId = await almanac.applyTemplate(withSecrets());
    const { configuration } = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const answer = await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: configuration });
    expect(answer.status).toBe(202);
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    const stored = await almanac.service.database.query
      .selectFrom('version_secrets')
      .select('name')
      .where('version_id', '=', String(answer.body.version_id))
      .execute();
    expect(stored.map(({ name }) => name).toSorted()).toEqual([
      'web0/git_private_key',
      'web0/registry_password',
    ]);
  });

  it('an error does not quote the secret', async () => {
    const json = withSecrets({ container_ports: 'no list', container_users: secrets.gitKey });
    const answer = await almanac.call('POST', '/v3/alm/template', { token, json });
    expect(answer.status).toBe(400);
    expect(showsSecret(answer.text)).toEqual([]);
  });

  it('the database contains no secret, token, password or auth_token in plain text', async () => {
    const stackId = await almanac.applyTemplate(withSecrets());
    const { auth_token } = await almanac.describe(stackId);
    const everything = await readEverything();
    expect(everything).toContain(stackId);
    expect(showsSecret(everything)).toEqual([]);
    for (const secret of [String(auth_token), token, first.password, first.client_secret])
      expect(everything).not.toContain(secret);
  });

  it.runIf(!onPostgres)('the data directory contains no secret in plain text', async () => {
    const directory = almanac.dataDirectory;
    const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
    expect(files.some((content) => content.includes('registry_password'))).toBe(true);
    expect(files.flatMap(showsSecret)).toEqual([]);
  });

  it('the log contains no secret', async () => {
    expect(logged.length).toBeGreaterThan(5);
    const all = logged.join('');
    expect(showsSecret(all)).toEqual([]);
    for (const secret of [token, first.password, first.client_secret]) expect(all).not.toContain(secret);
  });
});
