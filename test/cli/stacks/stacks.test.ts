import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../http.ts';
import { type AlmUser, firstStack, type Served, serveForAlm } from '../alm.ts';

let served: Served;
let root: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  root = served.root;
});
afterAll(() => served.close());

const create = (...more: string[]) =>
  root.json<Json>(['stack', 'create', '--alm-template', firstStack, ...more]);
const statusOf = async (id: string) =>
  (await served.server.call('GET', `/v3/alm/stack/${id}`)).body.stack_status;

/** Writes a file to the home directory, where `alm` runs. */
const write = (name: string, text: string): string => {
  writeFileSync(join(root.home, name), text);
  return name;
};

describe('a stack from a template', () => {
  it('can be created, waited for, described, updated, rolled back and deleted', async () => {
    const created = await root.run([
      'stack',
      'create',
      '--alm-template',
      firstStack,
      '--wait',
      '--nickname',
      'my own',
    ]);
    expect(created.code).toBe(0);
    expect(created.stderr).toContain('[alm]: info: [201 Created] stack id: mo-');
    const { stack_id: id, version_id: version } = JSON.parse(created.stdout) as Record<string, string>;
    expect(await statusOf(String(id))).toBe('CREATE_COMPLETE');

    const listed = await root.run(['stack', 'list']);
    const [header, ...rows] = listed.stdout.trimEnd().split('\n');
    expect(header).toMatch(
      /^STACK ID {5,}STACK NAME {5,}PLATFORM {5,}STATUS {5,}REGION {5,}LAUNCHED {5,}HEALTH$/,
    );
    const row = rows.find((line) => line.startsWith(String(id)))?.split(/ {5,}/);
    expect(row?.slice(1, 5)).toEqual(['my own', 'aws', 'CREATE_COMPLETE', 'ap-northeast-1']);
    expect(row?.[5]).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/);

    const described = await root.run(['stack', 'describe', '--id', String(id)]);
    expect(described.stdout).toMatch(
      /^INSTANCE ID +INSTANCE TYPE +INSTANCE MODEL +PUBLIC DNS +PUBLIC IP +PRIVATE IP +FLAG +STATUS\n/,
    );
    expect(described.stdout).toMatch(
      /\ni-\S+ +on-demand +t2\.micro .* Web01 +running\n\nROLE +FLAG +CONTAINER\nweb +Web01/,
    );

    const template = readFileSync(firstStack, 'utf8').replace('t2.micro', 't2.small');
    const updated = await root.run(
      ['stack', 'update', '--id', String(id), '--alm-template', '-', '--replace-servers', '--wait'],
      {
        input: template,
      },
    );
    expect(updated.code).toBe(0);
    expect(updated.stderr).toContain(`[202 Accepted] stack id: ${id}`);
    const versions = await root.run(['template', 'versions', '-i', String(id)]);
    expect(versions.stdout.split('\n')[0]).toMatch(/^VERSION ID +LATEST +LAST MODIFIED +SIZE$/);
    expect(versions.stdout.trimEnd().split('\n')).toHaveLength(3);

    const back = await root.run([
      'stack',
      'rollback',
      String(id),
      '--ver',
      String(version),
      '--replace-servers',
      '--wait',
    ]);
    expect(back.code).toBe(0);
    expect((await root.json<Json>(['stack', 'describe', String(id), '-f=json'])).instances).toMatchObject([
      { InstanceType: 't2.micro' },
    ]);

    const deleted = await root.run(['stack', 'delete', `--id=${id}`, '--yes', '--wait']);
    expect(deleted.code).toBe(0);
    expect(JSON.parse(deleted.stdout)).toMatchObject({ stack_status: 'DELETE_COMPLETE' });
    expect(await statusOf(String(id))).toBe('DELETE_COMPLETE');
  });

  it('is rejected with the position of every problem, for YAML and JSON', async () => {
    const yaml = readFileSync(resolve('examples/balanced-with-database.yaml'), 'utf8');
    const line = yaml.split('\n').findIndex((each) => each.includes('instance_type:')) + 1;
    const bad = write(
      'bad.yaml',
      yaml.replace('instance_type:', 'instance_typo:').replace('min: 2', 'min: many'),
    );
    const refused = await root.run(['template', 'apply', bad]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain(
      `bad.yaml:${line}:7: configurations/0/provision/instance_typo: unknown member`,
    );
    expect(refused.stderr).toContain('auto_scaling/min: must be an integer');
    expect(refused.stderr).toMatch(/\| {9}min: many/);

    const json = write(
      'bad.json',
      readFileSync(firstStack, 'utf8').replace('"instance_count": 1', '"instance_count": "many"'),
    );
    const second = await root.run(['stack', 'create', '--alm-template', json]);
    expect(second.stderr).toMatch(/bad\.json:14:9: configurations\/0\/provision\/instance_count: /);
    expect(second.stderr).toContain('|         "instance_count": "many",');
  });

  it('reports a missing member at the position of its parent', async () => {
    const text = readFileSync(firstStack, 'utf8').replace('"flag": "Web01",', '');
    const { stderr } = await root.run(['template', 'preview', write('missing.json', text)]);
    expect(stderr).toMatch(/missing\.json:7:5: configurations\/0\/flag: /);
  });

  it('can be previewed and compared without being changed', async () => {
    const { stack_id: id, version_id: version } = await create();
    await served.server.waitFor(String(id), 'CREATE_COMPLETE');
    const changed = write('changed.json', readFileSync(firstStack, 'utf8').replace('t2.micro', 't2.small'));
    const preview = await root.run(['template', 'preview', changed, '--id', String(id)]);
    expect(preview.stdout).toMatch(
      /^ACTION +RESOURCE +TYPE +MEMBERS +WARNING\n(change|replace) +InstanceWeb01-0/,
    );

    const compare = ['template', 'compare', '--src-sid', String(id), '--src-vid', String(version)];
    const edited = {
      'configurations/provision/instance_type': { oldvalue: 't2.micro', newvalue: 't2.small' },
    };
    expect(await root.json([...compare, '--tgt-body', changed, '--tgt-vid', 'nonsense'])).toMatchObject({
      edited,
    });
    expect((await root.json<Json>([...compare, '--tgt-body', changed, '--show-all'])).source).toMatchObject({
      label: 'first stack',
    });
    const same = await root.run([...compare, '--tgt-vid', 'latest']);
    expect(same.stderr).toContain('no diff found');
    const without = await root.run(compare);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('--tgt-vid or --tgt-body is required');
    expect(await root.json(['template', 'describe', String(id), '--ver', String(version)])).toMatchObject({
      label: 'first stack',
    });
    expect(await statusOf(String(id))).toBe('CREATE_COMPLETE');
  });

  it('exits with the code of a conflict when there is nothing to cancel', async () => {
    const { stack_id: id } = await create();
    await served.server.waitFor(String(id), 'CREATE_COMPLETE');
    const { code, stderr } = await root.run(['stack', 'cancel', String(id)]);
    expect(code).toBe(7);
    expect(stderr).toContain('[409 Conflict]');
  });
});

describe('a v2 stack from flags', () => {
  const v2 = ['--apiver', 'v2'];
  const flags = [
    '--arch',
    'art_elb',
    '--type',
    't2.micro',
    '--min',
    '1',
    '--max',
    '3',
    '--dhub-user',
    'ann',
    '--dbuh-pass',
    'hidden-pass',
  ];
  const database = [
    '--usedb',
    '--dbengine',
    'db_mysql',
    '--dbtype',
    'db.t2.micro',
    '--dbstorage',
    '10',
    '--dbread-replica2',
  ];
  const cache = [
    '--use-elasticache',
    '--elasticache-engine=Redis',
    '--elasticache-nodetype=cache.t2.micro',
    '--elasticache-nodecount=2',
  ];

  it('can be created with the first credential, a database and a cache, updated and deleted', async () => {
    const created = await root.run(['stack', 'create', ...v2, ...flags, ...database, ...cache, '--wait']);
    expect(created.stderr).toContain('[200 OK] stack creation started:');
    expect(created.code).toBe(0);
    expect(created.stderr + created.stdout).not.toContain('hidden-pass');
    const { stack_id: id } = JSON.parse(created.stdout) as Record<string, string>;
    const [stack] = await root.json<Json[]>(['stack', 'describe', ...v2, String(id), '--fmt', 'json']);
    expect(stack?.configuration).toMatchObject({
      architecture: 'art_elb',
      min: '1',
      max: '3',
      spotRange: '50',
      image: 'library/php:8.3-apache',
    });
    expect(stack?.dbinstances).toHaveLength(2);
    expect((await root.run(['stack', 'list', ...v2])).stdout).toContain(`${id}`);
    expect((await root.run(['stack', 'list'])).stdout).not.toContain(`${id}`);

    const nothing = await root.run(['stack', 'update', ...v2, '--id', String(id)]);
    expect(nothing).toMatchObject({ code: 0, stdout: '' });
    expect(nothing.stderr).toContain('nothing to update');
    const updated = await root.run(['stack', 'update', ...v2, '--id', String(id), '--max', '5', '--wait']);
    expect(updated.stderr).toContain('[200 OK] UPDATE_IN_PROGRESS');
    expect(updated.code).toBe(0);
    const [after] = await root.json<Json[]>(['stack', 'describe', ...v2, String(id), '--fmt', 'json']);
    expect(after?.configuration).toMatchObject({ min: '1', max: '5' });
    expect((await root.run(['stack', 'delete', ...v2, String(id), '--wait'])).code).toBe(0);
  });

  it('reports missing and invalid flags before anything is sent', async () => {
    const errorOf = async (...more: string[]) => {
      const { code, stderr } = await root.run(['stack', 'create', ...v2, ...more]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await errorOf('--usedb', '--dbengine', 'db_mysql')).toContain(
      '--usedb requires --dbtype and --dbstorage.',
    );
    expect(await errorOf('--dbtype', 'x')).toContain('--dbtype requires --usedb.');
    expect(await errorOf('--dbread-replica1')).toContain('--dbread-replica1 requires --usedb.');
    expect(await errorOf('--elasticache-nodecount', '3')).toContain(
      '--elasticache-nodecount requires --use-elasticache.',
    );
    expect(await errorOf(...cache, '--elasticache-nodecount', '7')).toContain(
      '--elasticache-nodecount must be 1 to 6 for Redis, not 7',
    );
    expect(await errorOf('--min', '5', '--max', '2')).toContain('--min 5 is greater than --max 2');
    expect(await errorOf('--alm-template', firstStack)).toContain(
      '--alm-template is supported in API v3 only',
    );
    const { code, stderr } = await root.run(['stack', 'create', '--alm-template', firstStack, '--min', '3']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--min is supported in API v2 only')]);
  });
});
