import { describe, expect, it } from 'vitest';
import type { Cache, Database, StackModel } from '../../../../src/model/stack-model.ts';
import { sampleModel } from '../../sample-model.ts';
import { idsOfType, layersIn, propertiesIn, resourceIn, templateOf } from './world.ts';

const databaseWith = (changes: Partial<Database>) =>
  templateOf(
    sampleModel({
      databases: [
        {
          name: 'main',
          engine: 'postgresql',
          engineVersion: null,
          instanceType: null,
          storageGib: 5,
          replicas: 0,
          multiZone: false,
          ...changes,
        },
      ],
    }),
  );

const cacheWith = (changes: Partial<Cache>) =>
  templateOf(
    sampleModel({
      caches: [{ name: 'main', engine: 'redis', nodeType: 'cache.t4g.micro', nodes: 1, ...changes }],
    }),
  );

describe('a database', () => {
  it('has at least the minimum storage of AWS, encrypted, and backups that stay when it is deleted', () => {
    expect(propertiesIn(databaseWith({ storageGib: 5 }), 'Databasemain')).toMatchObject({
      AllocatedStorage: '20',
      StorageType: 'gp3',
      StorageEncrypted: true,
      PubliclyAccessible: false,
      DeleteAutomatedBackups: false,
    });
    expect(propertiesIn(databaseWith({ storageGib: 21 }), 'Databasemain')['AllocatedStorage']).toBe('21');
  });

  it('has the deletion protection of RDS if the model asks for it, and otherwise turns it off: AWS keeps it if the property is absent', () => {
    const protection = (changes: Partial<Database>) =>
      propertiesIn(databaseWith(changes), 'Databasemain')['DeletionProtection'];
    expect(protection({ deletionProtection: true })).toBe(true);
    expect(protection({})).toBe(false);
    expect(propertiesIn(databaseWith({ replicas: 1 }), 'DatabaseReplica1Ofmain')).not.toHaveProperty(
      'DeletionProtection',
    );
  });

  it('leaves a snapshot when it is deleted or replaced', () => {
    expect(resourceIn(databaseWith({}), 'Databasemain')).toMatchObject({
      DeletionPolicy: 'Snapshot',
      UpdateReplacePolicy: 'Snapshot',
    });
  });

  it.each([
    ['postgresql', null, 'postgres', '17.10', 'db.t4g.micro'],
    ['postgresql', '16', 'postgres', '16.14', 'db.t4g.micro'],
    ['mysql', '8.0', 'mysql', '8.0.46', 'db.t4g.micro'],
    ['mysql', '8.0.43', 'mysql', '8.0.43', 'db.t4g.micro'],
    ['mysql', '5.7', 'mysql', '5.7.44-rds.20260521', 'db.t3.micro'],
  ] as const)('%s %s is %s %s on %s', (engine, engineVersion, name, version, type) => {
    expect(propertiesIn(databaseWith({ engine, engineVersion }), 'Databasemain')).toMatchObject({
      Engine: name,
      EngineVersion: version,
      DBInstanceClass: type,
    });
  });

  it('has a password that AWS generates and no template contains', () => {
    const template = databaseWith({});
    expect(propertiesIn(template, 'Databasemain')['MasterUserPassword']).toEqual({
      'Fn::Sub': '{{resolve:secretsmanager:${DatabaseSecretmain}:SecretString:password}}',
    });
    expect(propertiesIn(template, 'DatabaseSecretmain')).not.toHaveProperty('SecretString');
  });

  it('has replicas that inherit everything but their class', () => {
    const template = databaseWith({ replicas: 2 });
    expect(idsOfType(template, 'AWS::RDS::DBInstance')).toHaveLength(3);
    const replica = propertiesIn(template, 'DatabaseReplica2Ofmain');
    expect(replica['SourceDBInstanceIdentifier']).toEqual({ Ref: 'Databasemain' });
    for (const member of ['Engine', 'MasterUsername', 'DBSubnetGroupName'])
      expect(replica).not.toHaveProperty(member);
  });

  it('has subnets in two zones, without internet access', () => {
    const template = databaseWith({});
    const zones = [1, 2].map((index) => propertiesIn(template, `DataSubnet${index}`)['AvailabilityZone']);
    expect(zones).toEqual(['ap-northeast-1a', 'ap-northeast-1b']);
    expect(template.Resources).not.toHaveProperty('RoutesDataSubnet1');
  });
});

describe('a cache', () => {
  it.each([
    [1, false],
    [2, true],
  ])('with %d Redis nodes is a replication group; automatic failover: %s', (nodes, failover) => {
    expect(propertiesIn(cacheWith({ nodes }), 'Cachemain')).toMatchObject({
      NumCacheClusters: nodes,
      AutomaticFailoverEnabled: failover,
      MultiAZEnabled: failover,
      AtRestEncryptionEnabled: true,
    });
  });

  it.each([
    [1, 'single-az'],
    [2, 'cross-az'],
  ])('with %d Memcached nodes is %s', (nodes, AZMode) => {
    const template = cacheWith({ engine: 'memcached', nodes });
    expect(propertiesIn(template, 'Cachemain')).toMatchObject({ NumCacheNodes: nodes, AZMode });
  });

  it('with several Redis nodes has outputs for reading', () => {
    const { Outputs } = cacheWith({ nodes: 3 });
    expect(Outputs['RedisReadEndPointPorts']?.Value).toBe('6379,6379,6379');
    expect(JSON.stringify(Outputs['RedisReadEndPointAddresses'])).toContain('ReadEndPoint.Addresses');
    expect(cacheWith({ nodes: 1 }).Outputs).not.toHaveProperty('RedisReadEndPointPorts');
  });
});

describe('a database or cache', () => {
  const port = (number: number, from: string) => ({
    IpProtocol: 'tcp',
    FromPort: number,
    ToPort: number,
    SourceSecurityGroupId: { 'Fn::GetAtt': [`SecurityGroup${from}`, 'GroupId'] },
  });
  const cache: Cache = { name: 'main', engine: 'redis', nodeType: 'cache.t4g.micro', nodes: 1 };
  const rulesOf = (model: StackModel) =>
    propertiesIn(templateOf({ ...model, caches: [cache] }), 'CacheSecurityGroupmain')['SecurityGroupIngress'];

  it("accepts connections only from the stack's servers, layer by layer", () => {
    const empty = { capacity: { kind: 'fixed', count: 0 } } as const;
    expect(rulesOf(layersIn({}, {}, empty))).toEqual([port(6379, 'Layer0'), port(6379, 'Layer1')]);
  });

  it('accepts none in a stack without servers', () => {
    expect(rulesOf(layersIn({ capacity: { kind: 'fixed', count: 0 } }))).toEqual([]);
  });

  it("accepts the stack's network if there are more layers than AWS allows rules", () => {
    const many = layersIn(...Array.from({ length: 61 }, () => ({ keyPair: false })));
    expect(rulesOf(many)).toEqual([expect.objectContaining({ CidrIp: '10.0.0.0/16' })]);
  });
});
