import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { agentTokenSecret, databasePasswordSecret } from '../../src/vendors/alicloud/names.ts';
import {
  fixedServers,
  sampleDatabase,
  sampleGroup,
  sampleLayer,
  sampleModel,
} from '../vendors/sample-model.ts';
import { models } from './world/models.ts';
import { AlicloudWorld, agentToken, databasePassword, newStack, viewOf } from './world/world.ts';

const oneDatabase = sampleModel({ databases: [sampleDatabase()] });
const redis = { name: 'cache', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 1 } as const;

describe('a stack on a double of ROS', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
    const certificates = ['example.com', 'shop.example.com', 'mail.example.com'].map((commonName) => ({
      id: `certificate-of-${commonName}`,
      commonName,
    }));
    await world.double.control('settings', { certificates });
  });
  afterAll(() => world.close());
  afterEach(() => world.double.clear('faults'));

  const made = async (model: StackModel) => {
    const at = world.on(newStack(model.region));
    expect(await at.apply(model, 'v1')).toEqual({ accepted: true });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    return at;
  };
  const secretNames = async (): Promise<string[]> =>
    Object.values((await world.double.state()).secrets).map(({ name }) => name);

  it.each(Object.keys(models))('is created and removed without leftovers: %s', async (name) => {
    const model = models[name]!;
    const withoutStandby = model.databases.map((database) => ({ ...database, multiZone: false }));
    const at = await made({ ...model, databases: withoutStandby });
    expect(await at.remove()).toEqual({ accepted: true });
    await world.passAll();
    expect((await at.observe()).kind).toBe('absent');
    expect((await secretNames()).filter((secret) => secret.includes(at.stack.id))).toEqual([]);
  });

  it('shows its servers, outputs, databases, caches and events', async () => {
    const at = world.on(newStack());
    await at.apply({ ...oneDatabase, caches: [redis] }, 'v1');
    await world.passMoment();
    await at.observe();
    await world.passAll();
    const view = await at.view();
    expect(view.instances).toMatchObject([
      {
        flag: 'Web0',
        state: 'running',
        spot: false,
        zone: 'ap-northeast-1a',
        privateDns: '',
        publicDns: null,
      },
    ]);
    expect(view.instances[0]!.publicIp).toMatch(/^47\./);
    expect(view.outputs.map(({ key }) => key)).toEqual([
      'Address',
      'DBAddress',
      'DBPort',
      'RedisPrimaryEndPointAddress',
      'RedisPrimaryEndPointPort',
    ]);
    expect(view.databases).toMatchObject([
      { role: 'primary', engine: 'mysql', storageGib: 20, port: 3306, state: 'Running' },
    ]);
    expect(view.caches).toMatchObject([{ role: 'primary', engine: 'redis', port: 6379 }]);
    expect(view.events.map(({ state }) => state)).toContain('CREATE_COMPLETE');
    expect(view.events.some(({ resource }) => resource === 'VPC')).toBe(true);
  });

  it('has its secrets in OOS only: not in its template, its parameters or an address of a request', async () => {
    const at = await made(oneDatabase);
    const { secrets, ...rest } = await world.double.state();
    const own = Object.values(secrets).filter(({ name }) => name.includes(at.stack.id));
    expect(Object.fromEntries(own.map(({ name, value }) => [name, value]))).toEqual({
      [databasePasswordSecret(at.stack.id)]: databasePassword.reveal(),
      ...(own.length > 1 ? { [agentTokenSecret(at.stack.id)]: agentToken.reveal() } : {}),
    });
    const template = await world.double.call({
      version: '2019-09-10',
      action: 'GetTemplate',
      query: { RegionId: 'ap-northeast-1', StackId: idOf(rest, at.stack.id) },
    });
    expect(JSON.stringify(template)).not.toContain(databasePassword.reveal());
  });

  const idOf = ({ stacks }: { stacks: Record<string, { name: string }> }, stackId: string): string =>
    Object.entries(stacks).find(([, { name }]) => name === `alm-${stackId}`)?.[0] ?? '';

  it('keeps its servers when an update adds a database', async () => {
    const at = await made(fixedServers(1));
    const [before] = (await at.view()).instances;
    expect(await at.apply(oneDatabase, 'v2')).toEqual({ accepted: true });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    const { instances, databases } = await at.view();
    expect(instances.map(({ id }) => id)).toEqual([before?.id]);
    expect(databases).toHaveLength(1);
  });

  it('replaces what may be replaced, and refuses to replace a database', async () => {
    const at = await made(sampleModel({ layers: [sampleGroup(1, 0)], databases: [sampleDatabase()] }));
    const group = sampleGroup(1, 0);
    const listeners = [{ ...group.loadBalancer!.listeners[0]!, instancePort: 8080 }];
    const changed = { ...group, loadBalancer: { ...group.loadBalancer!, listeners } };
    await at.apply(sampleModel({ layers: [changed], databases: [sampleDatabase()] }), 'v2');
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    const other = sampleModel({ layers: [changed], databases: [sampleDatabase({ engine: 'postgresql' })] });
    expect(await at.apply(other, 'v3')).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('would delete') as string,
    });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });

  it('lets its private key be read on demand, and only that of a layer with a key pair', async () => {
    const at = await made(fixedServers(1));
    const key = await world.driver.readPrivateKey?.(at.stack, 'Web0');
    expect(key?.reveal()).toContain('BEGIN RSA PRIVATE KEY');
    expect(await world.driver.readPrivateKey?.(at.stack, 'other')).toBeUndefined();
    expect(await world.driver.readPrivateKey?.(newStack(), 'Web0')).toBeUndefined();
  });

  it('shows what was changed outside as drift, and none before a check', async () => {
    const at = await made(fixedServers(1));
    const { driver } = world;
    expect(await driver.readDrift?.(at.stack)).toMatchObject({ state: 'never_checked' });
    expect(await driver.startDriftCheck?.(at.stack)).toEqual({ accepted: true });
    expect(await driver.readDrift?.(at.stack)).toMatchObject({ state: 'checking' });
    expect(await driver.readDrift?.(at.stack)).toMatchObject({ state: 'in_sync' });
    const drift = { stack: `alm-${at.stack.id}`, logicalId: 'VPC', property: 'VpcName', value: 'other' };
    await world.double.control('drift', drift);
    await driver.startDriftCheck?.(at.stack);
    await driver.readDrift?.(at.stack);
    expect(await driver.readDrift?.(at.stack)).toMatchObject({
      state: 'drifted',
      resources: [{ resource: 'VPC', kind: 'changed', members: [{ path: 'VpcName', actual: '"other"' }] }],
    });
  });

  it('forecasts an update: what is added, changed, replaced and removed, and nothing for the same document', async () => {
    const at = await made(sampleModel({ layers: [sampleGroup(1, 0)] }));
    const same = await world.compiled(at.stack, sampleModel({ layers: [sampleGroup(1, 0)] }));
    expect(await world.driver.forecast?.(at.stack, same)).toEqual([]);
    const other = await world.compiled(at.stack, { ...fixedServers(1), caches: [redis] });
    const changes = await world.driver.forecast?.(at.stack, other);
    expect(changes?.find(({ resource }) => resource === 'Rediscache')).toMatchObject({ action: 'add' });
    expect(changes?.find(({ resource }) => resource.startsWith('AutoScalingGroup'))).toMatchObject({
      action: 'remove',
      warning: expect.stringMatching(/./) as string,
    });
    expect(await world.driver.forecast?.(newStack(), other)).toBeUndefined();
  });

  it('can be cancelled while an update runs that removed nothing, and goes back to what it was', async () => {
    const at = await made(fixedServers(1));
    const servers = (await at.view()).instances.map(({ id }) => id);
    await at.apply(oneDatabase, 'v2');
    expect(await world.driver.cancelUpdate(at.stack, 'v2')).toEqual({ cancelled: true });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'broken', version: 'v2' });
    await at.apply(fixedServers(1), 'v1');
    await world.passAll();
    const seen = await at.observe();
    expect(seen).toMatchObject({ kind: 'settled', version: 'v1' });
    expect(viewOf(seen).instances.map(({ id }) => id)).toEqual(servers);
    expect(viewOf(seen).databases).toEqual([]);
  });

  it('cannot be cancelled when the update is complete or has begun to remove, and needs not when it never began', async () => {
    const at = await made(oneDatabase);
    expect(await world.driver.cancelUpdate(at.stack, 'v1')).toMatchObject({ cancelled: false });
    expect(await world.driver.cancelUpdate(at.stack, 'v9')).toEqual({ cancelled: true });
    const one = sampleModel({ layers: [sampleLayer({ keyPair: false })] });
    await at.apply(one, 'v2');
    // Until ROS deletes the database, which it does last.
    for (let step = 0; step < 8; step += 1)
      await world.double.control('advance', { stack: `alm-${at.stack.id}` });
    const answer = await world.driver.cancelUpdate(at.stack, 'v2');
    expect(answer).toMatchObject({ cancelled: false });
  });
});
