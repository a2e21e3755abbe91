import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { AwsDocument } from '../../src/vendors/aws/document.ts';
import { cloudStackName } from '../../src/vendors/aws/names.ts';
import type { StackOnVendor } from '../../src/vendors/vendor.ts';
import { dataContract } from '../vendors/data-contract.ts';
import { sampleDatabase, sampleModel, serverAndDatabase } from '../vendors/sample-model.ts';
import { dataIn, dataWorld, isOf } from './world/data-world.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

describeOnOverlay('data on moto with the overlay', () => {
  let world: AwsWorld;
  const inject = (fault: object) =>
    fetch(`${world.cloud.url}/motoplus/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const clearFaults = () => fetch(`${world.cloud.url}/motoplus/faults`, { method: 'DELETE' });
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
  });
  afterEach(clearFaults);
  afterAll(() => world.close());

  dataContract('AWS', () => dataWorld(world, inject), ['database']);

  const snapshotsOf = async (stack: StackOnVendor): Promise<string[]> =>
    (await dataIn(world).snapshots()).filter((snapshot) => snapshot.isOf(stack)).map(({ id }) => id);
  const databaseOf = async (stack: StackOnVendor): Promise<string | undefined> => {
    const { DBInstances = [] } = await world.cloud.rds.describeDBInstances({});
    return DBInstances.find(({ DBInstanceIdentifier }) => isOf(stack, DBInstanceIdentifier))?.DbiResourceId;
  };

  const cache = { nodeType: 'cache.t3.micro', nodes: 1 };
  const everyStore = sampleModel({
    databases: [sampleDatabase({ replicas: 1 })],
    caches: [
      { ...cache, name: 'sessions', engine: 'redis' },
      { ...cache, name: 'pages', engine: 'memcached' },
    ],
  });

  const removed = async (stack: StackOnVendor, data: 'keep' | 'delete', intent = 'delete 1') => {
    const releases = await world.releases(stack, data);
    let answer = await world.driver.remove(stack, { releases, intent });
    for (let pass = 0; pass < 4 && answer.accepted; pass += 1) {
      await world.passAll();
      if ((await world.driver.observe(stack)).kind === 'absent') return answer;
      answer = await world.driver.remove(stack, { releases, intent });
    }
    return answer;
  };

  it('primary databases and Redis leave snapshots under the announced names; replicas and Memcached leave nothing', async () => {
    const stack = newStack();
    const on = world.on(stack);
    await on.apply(everyStore, 'v1');
    await world.passAll();
    const { stores = [] } = await on.view();
    const announced = stores
      .filter(({ kind }) => kind !== 'disk')
      .map((store) => world.vendor.keptAs({ stackId: stack.id, store, document: undefined }));
    expect(await removed(stack, 'keep')).toEqual({ accepted: true });
    const snapshots = await snapshotsOf(stack);
    expect(snapshots).toHaveLength(2);
    expect(announced).toHaveLength(2);
    for (const [index, sentence] of announced.entries()) {
      const prefix = /starts with (\S+):/.exec(sentence)?.[1] ?? 'no name';
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
    expect(await databaseOf(stack)).toBeUndefined();
    expect(await snapshotsOf(stack)).toEqual([]);
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
    expect(await snapshotsOf(stack)).toHaveLength(1);
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
    expect(await snapshotsOf(stack)).toHaveLength(1);
  });

  it('removal with data=delete that cannot change the policies is refused with the reason, and the data stays', async () => {
    const stack = newStack();
    await world.on(stack).apply(serverAndDatabase(true), 'v1');
    await world.passAll();
    const data = await databaseOf(stack);
    await inject({ on: 'resource', phase: 'update', logical: '^Databaseapp$', message: 'Not now', times: 1 });
    expect(await removed(stack, 'delete')).toEqual({
      accepted: false,
      reason: expect.stringMatching(/UPDATE_ROLLBACK_COMPLETE.*Not now.*Delete the stack with data=keep/),
    });
    expect(await databaseOf(stack)).toBe(data);
    // The same request stays refused; the next one tries again.
    expect(await world.on(stack).remove('delete')).toMatchObject({ accepted: false });
    expect(await removed(stack, 'delete', 'delete 2')).toEqual({ accepted: true });
    expect(await snapshotsOf(stack)).toEqual([]);
  });

  /** A stack whose database CloudFormation could not delete, with or without a snapshot. */
  const halfDeleted = async (data: 'keep' | 'delete', resource: string) => {
    const stack = newStack();
    await world.on(stack).apply(serverAndDatabase(true), 'v1');
    await world.passAll();
    await inject({ on: 'resource', phase: 'delete', logical: `^${resource}$`, message: 'in use', times: 1 });
    await world.on(stack).remove(data);
    await world.passAll();
    if (data === 'delete') await world.on(stack).remove(data);
    await world.passAll();
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'broken', doing: 'remove' });
    return stack;
  };

  it('an update after a failed deletion is refused while a database is left, says what to do, and deletes nothing', async () => {
    const stack = await halfDeleted('delete', 'Databaseapp');
    const data = await databaseOf(stack);
    expect(data).toBeDefined();
    expect(await world.on(stack).apply(serverAndDatabase(true), 'v2')).toEqual({
      accepted: false,
      reason: expect.stringMatching(
        /data of Databaseapp\. First delete the stack with data=keep or data=delete/,
      ),
    });
    await world.passAll();
    expect(await databaseOf(stack)).toBe(data);
  });

  it('an update after a deletion that failed once the database was gone creates the stack again', async () => {
    const stack = await halfDeleted('keep', 'VPC');
    expect(await databaseOf(stack)).toBeUndefined();
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
    expect(await databaseOf(stack)).toBeDefined();
    for (let step = 0; step < 2; step += 1) {
      expect(await world.on(stack).apply(serverAndDatabase(false), 'v2')).toEqual({ accepted: true });
      await world.passAll();
    }
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v2' });
    expect(await databaseOf(stack)).toBeUndefined();
    expect(await snapshotsOf(stack)).toHaveLength(1);
    await protect(false);
  });
});
