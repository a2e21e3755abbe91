import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { AwsDocument } from '../../src/vendors/aws/document.ts';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import type { StackOnVendor, VendorDocument } from '../../src/vendors/vendor.ts';
import { dataContract } from '../vendors/data-contract.ts';
import { fixedServers, sampleDatabase, sampleModel, serverAndDatabase } from '../vendors/sample-model.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

/** The stack in documents compiled in advance; its id is replaced by the real one. */
const placeholder = newStack();

describeOnOverlay('data on moto with the overlay', () => {
  let world: AwsWorld;
  const documents = new Map<boolean, VendorDocument>();
  const inject = (fault: object) =>
    fetch(`${world.cloud.url}/motoplus/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const clearFaults = () => fetch(`${world.cloud.url}/motoplus/faults`, { method: 'DELETE' });
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    documents.set(true, await world.compiled(placeholder, serverAndDatabase(true)));
    documents.set(false, await world.compiled(placeholder, fixedServers(4)));
  });
  afterEach(clearFaults);
  afterAll(() => world.close());

  /** Names of databases and snapshots are in lower case. */
  const isOf = ({ id }: StackOnVendor, name = ''): boolean =>
    name.toLowerCase().startsWith(cloudStackName(id).toLowerCase());
  const databaseSnapshots = async (stack: StackOnVendor): Promise<string[]> => {
    const { DBSnapshots = [] } = await world.cloud.rds.describeDBSnapshots({ SnapshotType: 'manual' });
    const names = DBSnapshots.map(({ DBSnapshotIdentifier = '' }) => DBSnapshotIdentifier);
    return names.filter((name) => isOf(stack, name));
  };
  const cacheSnapshots = async (stack: StackOnVendor): Promise<string[]> => {
    const { Snapshots = [] } = await world.cloud.elastiCache.describeSnapshots({});
    const names = Snapshots.map(({ SnapshotName = '' }) => SnapshotName);
    return names.filter((name) => isOf(stack, name));
  };
  const dataIn = async (stack: StackOnVendor): Promise<string | undefined> => {
    const { DBInstances = [] } = await world.cloud.rds.describeDBInstances({});
    return DBInstances.find(({ DBInstanceIdentifier }) => isOf(stack, DBInstanceIdentifier))?.DbiResourceId;
  };

  dataContract('aws', async () => {
    // Holds updates to the document without a database open, so that they can be cancelled.
    await inject({ on: 'resource', phase: 'create', logical: '^Instance4Of', sleep: 20 });
    return {
      driver: world.driver,
      newStack,
      document: (stack, hasDatabase) => {
        const text = JSON.stringify(documents.get(hasDatabase));
        return JSON.parse(text.replaceAll(placeholder.id, stack.id)) as VendorDocument;
      },
      passMoment: world.passMoment,
      passAll: () => world.passAll(),
      dataIn,
      keptData: databaseSnapshots,
    };
  });

  const cache = { nodeType: 'cache.t3.micro', nodes: 1 };
  const everyStore = sampleModel({
    databases: [sampleDatabase({ replicas: 1 })],
    caches: [
      { ...cache, name: 'sessions', engine: 'redis' },
      { ...cache, name: 'pages', engine: 'memcached' },
    ],
  });

  const removed = async (stack: StackOnVendor, data: 'keep' | 'delete', intent = 'delete 1') => {
    let answer = await world.driver.remove(stack, { data, intent });
    for (let pass = 0; pass < 4 && answer.accepted; pass += 1) {
      await world.passAll();
      if ((await world.driver.observe(stack)).kind === 'absent') return answer;
      answer = await world.driver.remove(stack, { data, intent });
    }
    return answer;
  };

  it('primary databases and Redis leave snapshots under the announced names; replicas and Memcached leave nothing', async () => {
    const stack = newStack();
    const on = world.on(stack);
    await on.apply(everyStore, 'v1');
    await world.passAll();
    const before = await world.compiled(stack, everyStore);
    const announced = await world.vendor.removedData({ stackId: stack.id, before, after: null });
    expect(await removed(stack, 'keep')).toEqual({ accepted: true });
    const snapshots = [...(await databaseSnapshots(stack)), ...(await cacheSnapshots(stack))];
    expect(snapshots).toHaveLength(2);
    expect(announced.map(({ resource }) => resource)).toEqual(['Databaseapp', 'Cachesessions']);
    for (const [index, { keptAs }] of announced.entries()) {
      const prefix = /starts with (\S+):/.exec(keptAs)?.[1] ?? 'no name';
      expect(snapshots[index]).toMatch(new RegExp(`^${prefix}`));
    }
  });

  it('removal with data=delete leaves no snapshot, and asks RDS to delete the automated backups (moto has none)', async () => {
    const stack = newStack();
    await world.on(stack).apply(everyStore, 'v1');
    await world.passAll();
    const from = world.proxy.calls.length;
    expect(await removed(stack, 'delete')).toEqual({ accepted: true });
    const sent = world.proxy.calls.slice(from).filter(({ operation }) => operation === 'UpdateStack');
    const template = JSON.parse(sent.at(-1)?.input['TemplateBody'] ?? '{}') as AwsDocument['template'];
    const databases = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::RDS::DBInstance');
    expect(databases.map(({ Properties }) => Properties?.['DeleteAutomatedBackups'])).toContain(true);
    expect(databases.map(({ Properties }) => Properties?.['DeleteAutomatedBackups'])).not.toContain(false);
    expect((await world.driver.observe(stack)).kind).toBe('absent');
    expect(await dataIn(stack)).toBeUndefined();
    expect([...(await databaseSnapshots(stack)), ...(await cacheSnapshots(stack))]).toEqual([]);
  });

  it('a stack that was made before data was kept leaves a snapshot too', async () => {
    const stack = newStack();
    const document = JSON.parse(
      JSON.stringify(await world.compiled(stack, serverAndDatabase(true))).replaceAll(
        '"Snapshot"',
        '"Delete"',
      ),
    ) as AwsDocument;
    expect(document.template.Resources['Databaseapp']?.DeletionPolicy).toBe('Delete');
    await world.driver.apply(stack, { document, version: 'v1', agentToken });
    await world.passAll();
    expect(await removed(stack, 'keep')).toEqual({ accepted: true });
    expect(await databaseSnapshots(stack)).toHaveLength(1);
  });

  it('a stack whose template someone replaced by one in YAML leaves a snapshot too (moto returns JSON: the YAML is ours)', async () => {
    const stack = newStack();
    const compiled = (await world.compiled(stack, serverAndDatabase(true))) as AwsDocument;
    const withoutKeeping = JSON.stringify(compiled).replaceAll('"Snapshot"', '"Delete"');
    const document = JSON.parse(withoutKeeping) as AwsDocument;
    await world.driver.apply(stack, { document, version: 'v1', agentToken });
    await world.passAll();
    const yaml = stringify(document.template).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const response = `<GetTemplateResponse><GetTemplateResult><TemplateBody>${yaml}</TemplateBody></GetTemplateResult></GetTemplateResponse>`;
    let isReplaced = false;
    world.proxy.responseFor = ({ operation }) => {
      if (operation === 'UpdateStack') isReplaced = true;
      return operation === 'GetTemplate' && !isReplaced ? response : undefined;
    };
    expect(await removed(stack, 'keep')).toEqual({ accepted: true });
    world.proxy.responseFor = () => undefined;
    expect(isReplaced).toBe(true);
    expect(await databaseSnapshots(stack)).toHaveLength(1);
  });

  it('removal with data=delete that cannot change the policies is refused with the reason, and the data stays', async () => {
    const stack = newStack();
    await world.on(stack).apply(serverAndDatabase(true), 'v1');
    await world.passAll();
    const data = await dataIn(stack);
    await inject({ on: 'resource', phase: 'update', logical: '^Databaseapp$', message: 'Not now', times: 1 });
    expect(await removed(stack, 'delete')).toEqual({
      accepted: false,
      reason: expect.stringMatching(
        /UPDATE_ROLLBACK_COMPLETE.*Not now.*Delete the stack without data=delete/,
      ),
    });
    expect(await dataIn(stack)).toBe(data);
    // The same request stays refused; the next one tries again.
    expect(await world.driver.remove(stack, { data: 'delete', intent: 'delete 1' })).toMatchObject({
      accepted: false,
    });
    expect(await removed(stack, 'delete', 'delete 2')).toEqual({ accepted: true });
    expect(await databaseSnapshots(stack)).toEqual([]);
  });

  /** A stack whose database CloudFormation could not delete, with or without a snapshot. */
  const halfDeleted = async (data: 'keep' | 'delete', resource: string) => {
    const stack = newStack();
    await world.on(stack).apply(serverAndDatabase(true), 'v1');
    await world.passAll();
    await inject({ on: 'resource', phase: 'delete', logical: `^${resource}$`, message: 'in use', times: 1 });
    await world.driver.remove(stack, { data, intent: 'delete 1' });
    await world.passAll();
    if (data === 'delete') await world.driver.remove(stack, { data, intent: 'delete 1' });
    await world.passAll();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'broken', doing: 'remove' });
    return stack;
  };

  it('an update after a failed deletion is refused while a database is left, says what to do, and deletes nothing', async () => {
    const stack = await halfDeleted('delete', 'Databaseapp');
    const data = await dataIn(stack);
    expect(data).toBeDefined();
    expect(await world.on(stack).apply(serverAndDatabase(true), 'v2')).toEqual({
      accepted: false,
      reason: expect.stringMatching(
        /data of Databaseapp\. First delete the stack with data=keep or data=delete/,
      ),
    });
    await world.passAll();
    expect(await dataIn(stack)).toBe(data);
  });

  it('an update after a deletion that failed once the database was gone creates the stack again', async () => {
    const stack = await halfDeleted('keep', 'VPC');
    expect(await dataIn(stack)).toBeUndefined();
    expect(await world.on(stack).apply(serverAndDatabase(true), 'v2')).toEqual({ accepted: true });
    await world.passAll();
    expect((await world.driver.observe(stack)).kind).toBe('absent');
  });

  it('a removal that keeps data finishes a failed one with data=delete if the database is gone already', async () => {
    const stack = await halfDeleted('delete', 'VPC');
    expect(await removed(stack, 'keep', 'delete 2')).toEqual({ accepted: true });
    expect((await world.driver.observe(stack)).kind).toBe('absent');
  });

  it('an update that removes a database leaves a snapshot, also after a removal with data=delete that was refused', async () => {
    const stack = newStack();
    const StackName = cloudStackName(stack.id);
    await world.on(stack).apply(serverAndDatabase(true), 'v1');
    await world.passAll();
    const protect = (EnableTerminationProtection: boolean) =>
      world.cloud.cloudFormation.updateTerminationProtection({ StackName, EnableTerminationProtection });
    await protect(true);
    expect(await removed(stack, 'delete')).toMatchObject({ accepted: false });
    expect(await dataIn(stack)).toBeDefined();
    for (let step = 0; step < 2; step += 1) {
      expect(await world.on(stack).apply(serverAndDatabase(false), 'v2')).toEqual({ accepted: true });
      await world.passAll();
    }
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v2' });
    expect(await dataIn(stack)).toBeUndefined();
    expect(await databaseSnapshots(stack)).toHaveLength(1);
    await protect(false);
  });
});
