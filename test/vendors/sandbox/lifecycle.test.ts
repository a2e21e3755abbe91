import { describe, expect, it } from 'vitest';
import { fixedServers, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const start = (speed = 1) => {
  const world = sandboxWorld(speed);
  return { ...world, ...world.on(stackNamed('life')) };
};

describe('the sandbox', () => {
  it.each([
    ['one server', fixedServers(1)],
    ['a group behind a load balancer', sampleModel({ layers: [sampleGroup(2, 0)] })],
  ])('takes 6 to 10 seconds at speed 1 for %s', async (_, model) => {
    const { apply, observe, clock } = start();
    await apply(model, 'v1');
    clock.advance(5_900);
    expect((await observe()).kind).toBe('busy');
    clock.advance(4_200);
    expect((await observe()).kind).toBe('settled');
  });

  it('finishes creations, updates, failures and removals at once at speed 0', async () => {
    const { apply, remove, observe, inject } = start(0);
    await apply(fixedServers(2), 'v1');
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    await inject({ kind: 'fail_resource', position: 1 });
    await apply(fixedServers(3), 'v2');
    expect(await observe()).toMatchObject({ kind: 'broken', version: 'v2' });
    await apply(fixedServers(3), 'v3');
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v3' });
    await remove();
    expect((await observe()).kind).toBe('absent');
  });

  it('reports servers as pending before they run, and when to observe again', async () => {
    const { apply, observe, view, clock } = start();
    await apply(fixedServers(1), 'v1');
    expect(await observe()).toMatchObject({ kind: 'busy', lookAgainMs: 300 });
    clock.advance(2_500);
    expect((await view()).instances).toMatchObject([{ state: 'pending' }]);
    clock.advance(3_500);
    expect((await view()).instances).toMatchObject([{ state: 'running' }]);
  });

  it('has an event for each change of each resource, with its time', async () => {
    const { apply, view, clock } = start();
    const began = clock.now();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const ofNetwork = (await view()).events.filter((event) => event.resource === 'VPC');
    expect(ofNetwork.map(({ state, at }) => [state, at - began])).toEqual([
      ['CREATE_IN_PROGRESS', 0],
      ['CREATE_COMPLETE', 1_500],
    ]);
    expect(ofNetwork.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^v1:1:vpc-[0-9a-f]{17}:CREATE_IN_PROGRESS$/),
      expect.stringMatching(/^v1:1:vpc-[0-9a-f]{17}:CREATE_COMPLETE$/),
    ]);
  });

  it('keeps the last events of a removed stack for an hour', async () => {
    const { apply, remove, view, clock, on } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    await remove();
    clock.advance(longEnough);
    expect((await view()).events.at(-1)).toMatchObject({ resource: 'VPC', state: 'DELETE_COMPLETE' });
    clock.advance(3_600_000);
    await on(stackNamed('another')).apply(fixedServers(1), 'w1');
    expect((await view()).events).toEqual([]);
  });
});

describe('a sandbox server', () => {
  it('has ids and addresses in realistic formats, inside its subnet', async () => {
    const { apply, view, clock, stack } = start();
    const layer = sampleLayer({
      subnet: { cidr: '10.0.7.0/24', public: true, assignPublicIp: true },
      zone: 'ap-northeast-1c',
      capacity: { kind: 'fixed', count: 2 },
    });
    await apply(sampleModel({ layers: [layer] }), 'v1');
    clock.advance(longEnough);
    const { instances } = await view();
    expect(instances.map((instance) => instance.privateIp)).toEqual(['10.0.7.4', '10.0.7.5']);
    expect(new Set(instances.map((instance) => instance.publicIp)).size).toBe(2);
    const [first] = instances;
    expect(first).toMatchObject({
      id: expect.stringMatching(/^i-[0-9a-f]{17}$/),
      flag: 'Web0',
      type: 't2.micro',
      image: expect.stringMatching(/^ami-[0-9a-f]{17}$/),
      spot: false,
      zone: 'ap-northeast-1c',
      privateDns: 'ip-10-0-7-4.ap-northeast-1.compute.internal.sandbox.invalid',
      publicIp: expect.stringMatching(/^(203\.0\.113|198\.51\.100)\.\d+$/),
      networkId: expect.stringMatching(/^vpc-/),
      subnetId: expect.stringMatching(/^subnet-/),
      keyName: `${stack.id}-Web0`,
    });
    expect(first?.publicDns).toBe(
      `ec2-${first?.publicIp?.replaceAll('.', '-')}.ap-northeast-1.compute.sandbox.invalid`,
    );
  });

  it('has no public address in a private subnet', async () => {
    const { apply, view, clock } = start();
    await apply(
      fixedServers(1, { subnet: { cidr: '10.0.0.0/24', public: false, assignPublicIp: true } }),
      'v1',
    );
    clock.advance(longEnough);
    expect((await view()).instances).toMatchObject([{ publicIp: null, publicDns: null }]);
    expect((await view()).outputs).toEqual([]);
  });
});

describe('sandbox outputs', () => {
  it('have the keys clients know', async () => {
    const { apply, view, clock } = start();
    const database = { engine: 'mysql', engineVersion: null, instanceType: null, storageGib: 20 } as const;
    await apply(
      sampleModel({
        layers: [sampleGroup(1, 0)],
        databases: [{ ...database, name: 'main', replicas: 2, multiZone: false }],
        caches: [
          { name: 'fast', engine: 'redis', nodeType: 'cache.t2.micro', nodes: 3 },
          { name: 'mem', engine: 'memcached', nodeType: 'cache.t2.micro', nodes: 2 },
        ],
      }),
      'v1',
    );
    clock.advance(longEnough);
    const { outputs, databases, caches } = await view();
    const value = Object.fromEntries(outputs.map((output) => [output.key, output.value]));
    expect(value).toEqual({
      Address: expect.stringMatching(/^loadbalancerweb0-[0-9a-f]{8}\.ap-northeast-1\.elb\.sandbox\.invalid$/),
      DBAddress: expect.stringMatching(/\.rds\.sandbox\.invalid$/),
      DBPort: '3306',
      DBSlave1Address: databases[1]?.address,
      DBSlave2Address: databases[2]?.address,
      RedisPrimaryEndPointAddress: caches[0]?.address,
      RedisPrimaryEndPointPort: '6379',
      RedisReadEndPointAddresses: `${caches[1]?.address},${caches[2]?.address}`,
      RedisReadEndPointPorts: '6379,6379',
      MemcachedEndPointAddress: expect.stringMatching(/\.cache\.sandbox\.invalid$/),
      MemcachedEndPointPort: '11211',
    });
    expect(databases.map(({ role, state, storageGib }) => [role, state, storageGib])).toEqual([
      ['primary', 'available', 20],
      ['replica', 'available', 20],
      ['replica', 'available', 20],
    ]);
    expect(caches.map(({ engine, role }) => `${engine} ${role}`)).toEqual([
      'redis primary',
      'redis replica',
      'redis replica',
      'memcached primary',
      'memcached primary',
    ]);
  });

  it('have the address of the server if there is no load balancer', async () => {
    const { apply, view, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const { outputs, instances } = await view();
    expect(outputs).toMatchObject([{ key: 'Address', value: instances[0]?.publicIp }]);
  });
});

describe('sandbox updates', () => {
  it('replace a server whose type or image changes, and keep the old one until the new one runs', async () => {
    const { apply, view, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const [old] = (await view()).instances;
    await apply(fixedServers(1, { instanceType: 't2.large' }), 'v2');
    clock.advance(1_000);
    expect((await view()).instances).toMatchObject([
      { id: old?.id, state: 'running' },
      { type: 't2.large', state: 'pending' },
    ]);
    clock.advance(longEnough);
    const after = (await view()).instances;
    expect(after).toMatchObject([{ type: 't2.large', state: 'running' }]);
    expect(after[0]?.id).not.toBe(old?.id);
  });

  it('change rules in place, without changing the servers', async () => {
    const { apply, view, clock } = start();
    await apply(fixedServers(2), 'v1');
    clock.advance(longEnough);
    const { instances, outputs } = await view();
    await apply(fixedServers(2, { securityGroup: { ingress: [], egress: [] } }), 'v2');
    clock.advance(longEnough);
    const after = await view();
    expect(after.instances).toEqual(instances);
    expect(after.outputs).toEqual(outputs);
    expect(after.events.filter((event) => event.id.startsWith('v2')).map((event) => event.resource)).toEqual([
      'SecurityGroupWeb0',
      'SecurityGroupWeb0',
    ]);
  });

  it('are settled at once when the new version changes nothing', async () => {
    const { apply, observe, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    await apply(fixedServers(1), 'v2');
    expect(await observe()).toMatchObject({ kind: 'settled', version: 'v2' });
  });

  it('grow a group without changing its members', async () => {
    const { apply, view, clock } = start();
    await apply(sampleModel({ layers: [sampleGroup(2, 50)] }), 'v1');
    clock.advance(longEnough);
    const before = (await view()).instances;
    await apply(sampleModel({ layers: [sampleGroup(5, 50)] }), 'v2');
    clock.advance(longEnough);
    const after = (await view()).instances;
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(after.map((instance) => instance.spot).filter(Boolean)).toHaveLength(3);
    expect(after).toHaveLength(5);
  });

  it('keep the old address until the new load balancer is ready', async () => {
    const { apply, view, clock } = start();
    await apply(fixedServers(1), 'v1');
    clock.advance(longEnough);
    const { outputs } = await view();
    await apply(sampleModel({ layers: [sampleGroup(1, 0)] }), 'v2');
    clock.advance(500);
    expect((await view()).outputs).toEqual(outputs);
    clock.advance(longEnough);
    expect((await view()).outputs).toMatchObject([
      { key: 'Address', value: expect.stringContaining('.elb.') },
    ]);
  });
});
