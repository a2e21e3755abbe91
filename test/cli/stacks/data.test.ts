import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { canSkipResources } from '../../api/stand-in-skipping.ts';
import { oneServer } from '../../world.ts';
import { AlmUser } from '../alm.ts';
import { withDatabase } from './with-database.ts';

let almanac: ServedAlmanac;
let root: AlmUser;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  root = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: await almanac.userToken() });
  writeFileSync(join(root.home, 'plain.json'), JSON.stringify(oneServer(1)));
});
afterAll(async () => {
  root.close();
  await almanac.close();
});

const created = async (template: object = withDatabase()) => {
  const stackId = await almanac.applyTemplate(template);
  const { version_id } = await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  return { stackId, version: String(version_id) };
};
const databasesOf = async (stackId: string) => (await almanac.describe(stackId)).dbinstances;

/** A stack whose first version has no database. */
const grown = async () => {
  const { stackId, version } = await created(oneServer(1));
  const token = await almanac.userToken();
  await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: withDatabase() });
  await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
  return { stackId, version };
};

const rollBack = async (group: string) => {
  const { stackId, version } = await grown();
  return { stackId, command: [group, 'rollback', stackId, '--ver', version] };
};
const commands: [string, () => Promise<{ stackId: string; command: string[] }>][] = [
  [
    'stack update',
    async () => {
      const { stackId } = await created();
      return { stackId, command: ['stack', 'update', stackId, '--alm-template', 'plain.json'] };
    },
  ],
  [
    'template apply',
    async () => {
      const { stackId } = await created();
      return { stackId, command: ['template', 'apply', 'plain.json', '--id', stackId] };
    },
  ],
  ['stack rollback', () => rollBack('stack')],
  ['template rollback', () => rollBack('template')],
];

describe.each(commands)('alm %s that removes a database', (_, prepare) => {
  it('ends with what becomes of the data and the way to confirm it, and changes nothing', async () => {
    const { stackId, command } = await prepare();
    const refused = await root.run(command);
    expect(refused.code).toBe(7);
    expect(refused.stderr).toMatch(/\n  DatabaseInstance \S+ \(\S+\) is removed\. Its data is kept: /);
    expect(refused.stderr).toContain('--keep-data');
    expect(await databasesOf(stackId)).toHaveLength(1);
  });

  it.each(['--keep-data', '--delete-data'])('removes it with %s', async (flag) => {
    const { stackId, command } = await prepare();
    const { code } = await root.run([...command, flag, '--wait']);
    expect(code).toBe(0);
    expect(await databasesOf(stackId)).toEqual([]);
  });
});

describe('alm template apply without a stack', () => {
  it.each(['--keep-data', '--delete-data'])('is refused with %s, and creates nothing', async (flag) => {
    const stacks = async () =>
      (await almanac.call('GET', '/v3/alm/stack', { token: await almanac.userToken() })).body;
    const before = await stacks();
    const { code, stderr } = await root.run(['template', 'apply', 'plain.json', flag]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${flag} requires --id.`);
    expect(await stacks()).toEqual(before);
  });
});

describe('alm stack delete of a stack with a database', () => {
  const kept = /info: DatabaseInstance \S+ \(\S+\) is removed\. Its data is kept: .*snapshot/;

  it('prints what is kept before it waits, and then how to list it', async () => {
    const { stackId } = await created();
    const { code, stdout, stderr } = await root.run(['stack', 'delete', stackId, '--yes', '--wait']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ stack_status: 'DELETE_COMPLETE' });
    expect(stderr).toMatch(kept);
    expect(stderr.search(kept)).toBeLessThan(stderr.search(/DELETE_COMPLETE/));
    expect(stderr.trimEnd()).toMatch(new RegExp(`alm data list --stack ${stackId}$`));
    const list = ['data', 'list', '--stack', stackId, '--fmt', 'json'];
    expect(await root.json(list)).toMatchObject([{ kind: 'database', state: 'kept' }]);
  });

  it('says that the data is deleted with --delete-data, and names no list', async () => {
    const { stackId } = await created();
    const { code, stderr } = await root.run(['stack', 'delete', stackId, '--delete-data', '--yes', '--wait']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/info: DatabaseInstance \S+ \(\S+\) is removed\. Its data is deleted\./);
    expect(stderr).not.toContain('alm data list');
    expect(await root.json(['data', 'list', '--stack', stackId, '--fmt', 'json'])).toEqual([]);
  });

  it('off a terminal, --yes or --replace-servers confirms that disks of servers are lost, and --yes lists them', async () => {
    const [one, other] = [await created(), await created()];
    const refused = await root.run(['stack', 'delete', one.stackId]);
    expect(refused.code).toBe(7);
    const lost = /Instance \S+ \(\S+\) is removed\. What is only on its disk is lost\./;
    expect(refused.stderr).toMatch(lost);
    expect(refused.stderr).not.toContain('DatabaseInstance');
    expect((await almanac.describe(one.stackId)).stack_status).toBe('CREATE_COMPLETE');
    const listed = await root.run(['stack', 'delete', one.stackId, '--yes', '--wait']);
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringMatching(lost)]);
    expect((await root.run(['stack', 'delete', other.stackId, '--replace-servers', '--wait'])).code).toBe(0);
  });
});

describe('--skip-resources', () => {
  it.each(['stack', 'template'])('alm %s rollback sends every resource that is named', async (group) => {
    canSkipResources(almanac.service);
    const { stackId, version } = await created(oneServer(1));
    const skip = ['--skip-resources', 'SubnetWeb0', '--skip-resources', 'VPC'];
    const { code, stderr } = await root.run([group, 'rollback', stackId, '--ver', version, ...skip]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('has no failed update, so there is nothing to skip');
    const token = await almanac.userToken();
    const fault = (json: object) =>
      almanac.call('POST', '/v3/sandbox/fault', { token, json: { ...json, stack_id: stackId } });
    await fault({ kind: 'fail_resource', position: 1 });
    await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: oneServer(2) });
    await almanac.waitFor(stackId, 'UPDATE_FAILED');
    await fault({ kind: 'clear' });
    expect((await root.run([group, 'rollback', stackId, '--ver', version, ...skip])).code).toBe(0);
    const events = await almanac.call('GET', `/v3/alm/stack/${stackId}/events`, { token });
    expect(events.text).toContain('skipping SubnetWeb0, VPC');
  });
});
