import { describe, expect, it } from 'vitest';
import type { StackModel } from '../../../src/model/stack-model.ts';
import { ruleNames, ruleViolations } from '../../../src/vendors/alicloud/check/rules.ts';
import type { Json } from '../../../src/vendors/alicloud/document.ts';
import { sampleDatabase, sampleGroup, sampleLayer, sampleModel } from '../sample-model.ts';
import { documentOf } from './compile-world.ts';

const group = sampleGroup(1, 50);
/** Has every kind of resource that a rule is about. */
const model: StackModel = sampleModel({
  layers: [
    group,
    sampleLayer({ flag: 'Fixed', subnet: { cidr: '10.0.1.0/24', public: true, assignPublicIp: true } }),
  ],
  databases: [sampleDatabase({ replicas: 1, storageGib: 40 })],
});

type Draft = Record<string, Json>;
interface DraftResource {
  DependsOn?: string[];
  Properties: Draft;
}
type DraftResources = Record<string, DraftResource>;

function violations(breakIt: (resources: DraftResources) => void): string[] {
  const template = structuredClone(documentOf(model).template);
  breakIt(template.Resources as unknown as DraftResources);
  return ruleViolations(template).map(({ message }) => message);
}

const set =
  (resource: string, changes: Draft) =>
  (resources: DraftResources): void =>
    void Object.assign(resources[resource]!.Properties, changes);

const mistakes: Readonly<Record<string, (resources: DraftResources) => void>> = {
  'vswitch-inside-vpc': set('SubnetFixed', { CidrBlock: '192.168.0.0/24' }),
  'vswitch-overlap': set('SubnetFixed', { CidrBlock: '10.0.0.128/25' }),
  'db-storage-step': set('Databaseapp', { DBInstanceStorage: 21 }),
  'replica-storage': set('DatabaseReplica1Ofapp', { DBInstanceStorage: 20 }),
  'min-not-above-max': set('AutoScalingGroupWeb0', { MinSize: 99 }),
  'spot-needs-policy': set('AutoScalingGroupWeb0', { MultiAZPolicy: 'BALANCE' }),
  'group-needs-enable': (resources) => void delete resources['ScalingEnableWeb0'],
  'image-or-family': set('InstancesFixed', { ImageFamily: 'acs:alibaba_cloud_linux_3_2104_lts_x64' }),
  'user-data-size': set('InstancesFixed', { UserData: 'x'.repeat(16_385) }),
  'group-after-listener': (resources) => void delete resources['AutoScalingGroupWeb0']!.DependsOn,
  'known-instance-type': set('InstancesFixed', { InstanceType: 'm3.medium' }),
  'known-db-class': set('Databaseapp', { DBInstanceClass: 'db.m5.large' }),
  'engine-version': set('Databaseapp', { EngineVersion: '17.0' }),
  'https-certificate': set('Listener80OfWeb0', { Protocol: 'https' }),
};

describe('the rules that no schema knows', () => {
  it('are fourteen, and a compiled template breaks none of them', () => {
    expect(ruleNames).toEqual(Object.keys(mistakes));
    expect(ruleNames).toHaveLength(14);
    expect(violations(() => undefined)).toEqual([]);
  });

  it.each(Object.entries(mistakes))(
    '%s finds its mistake, names itself, and no other rule does',
    (name, breakIt) => {
      const found = violations(breakIt);
      expect(found).toHaveLength(1);
      expect(found[0]).toContain(`breaks ${name}, a rule of Almanac for Alibaba Cloud: `);
    },
  );

  it('also know replicas that are too large, a replica of a wrong class and a single spot type', () => {
    expect(violations(set('DatabaseReplica1Ofapp', { DBInstanceStorage: 3005 }))).toHaveLength(1);
    expect(violations(set('DatabaseReplica1Ofapp', { DBInstanceClass: 'mysql.n2.medium.2c' }))).toHaveLength(
      1,
    );
    expect(violations(set('ScalingConfigurationWeb0', { InstanceTypes: ['ecs.g7.large'] }))).toHaveLength(1);
  });
});
