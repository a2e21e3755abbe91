import { contains, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import { cacheEngines, databaseEngines, databaseGib, limits } from '../catalog.ts';
import type { Json, Properties, ResourceType, Template } from '../document.ts';
import { isInstanceType } from '../layout/instance-types.ts';
import { namesIn } from '../layout/references.ts';

/**
 * Rules that no schema of ROS knows, so that it would fail in the middle of an operation. They are Almanac's own. The checks of the
 * model exclude most violations with a better message; these hold for every template whatever it was made from.
 */

interface Found {
  resource: string;
  text: string;
}
export interface Violation {
  resource: string;
  message: string;
}
type Rule = (template: Template) => Found[];
type Entry = readonly [id: string, properties: Properties];

const ofType = ({ Resources }: Template, ...types: ResourceType[]): Entry[] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => types.includes(Type))
    .map(([id, { Properties }]) => [id, Properties]);

/** A rule about each resource of some types. The check returns what is wrong, or nothing. */
const each =
  (types: ResourceType[], check: (properties: Properties, template: Template) => string | undefined): Rule =>
  (template) =>
    ofType(template, ...types).flatMap(([resource, properties]) => {
      const text = check(properties, template);
      return text === undefined ? [] : [{ resource, text }];
    });

const unless = (isRight: boolean, text: string): string | undefined => (isRight ? undefined : text);
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const servers: ResourceType[] = ['ALIYUN::ECS::InstanceGroup', 'ALIYUN::ESS::ScalingConfiguration'];

const vswitchInsideVpc: Rule = each(['ALIYUN::ECS::VSwitch'], ({ CidrBlock, VpcId }, template) => {
  const [vpc = ''] = namesIn(VpcId);
  const outer = parseBlock(text(template.Resources[vpc]?.Properties['CidrBlock']));
  const inner = parseBlock(text(CidrBlock));
  return unless(
    Boolean(outer && inner && contains(outer, inner)),
    `${text(CidrBlock)} is not inside its network`,
  );
});

const vswitchOverlap: Rule = (template) => {
  const all = ofType(template, 'ALIYUN::ECS::VSwitch');
  return all.flatMap(([resource, { CidrBlock }], index) => {
    const block = parseBlock(text(CidrBlock));
    const other = all.slice(0, index).find(([, properties]) => {
      const taken = parseBlock(text(properties['CidrBlock']));
      return taken && block && overlap(taken, block);
    });
    return other ? [{ resource, text: `${text(CidrBlock)} overlaps the block of ${other[0]}` }] : [];
  });
};

const spotNeedsPolicy: Rule = (template) =>
  ofType(template, 'ALIYUN::ESS::ScalingConfiguration').flatMap(
    ([resource, { SpotStrategy, InstanceTypes, ScalingGroupId }]) => {
      if ((SpotStrategy ?? 'NoSpot') === 'NoSpot') return [];
      const [group = ''] = namesIn(ScalingGroupId);
      const policy = template.Resources[group]?.Properties['MultiAZPolicy'];
      const isRight = policy === 'COST_OPTIMIZED' && list(InstanceTypes).length > 1;
      return isRight ? [] : [{ resource, text: 'spot servers need the policy COST_OPTIMIZED and two types' }];
    },
  );

const referredBy = (template: Template, type: ResourceType): Set<string> =>
  new Set(ofType(template, type).flatMap(([, properties]) => namesIn(properties)));

const groupNeedsEnable: Rule = (template) => {
  const enabled = referredBy(template, 'ALIYUN::ESS::ScalingGroupEnable');
  return ofType(template, 'ALIYUN::ESS::ScalingGroup')
    .filter(([id]) => !enabled.has(id))
    .map(([resource]) => ({ resource, text: 'the group is never enabled, so that it has no servers' }));
};

/** Every load balancer of a group has a listener for which the group waits. */
const groupAfterListener: Rule = (template) =>
  Object.entries(template.Resources).flatMap(([resource, { Type, Properties, DependsOn = [] }]) => {
    if (Type !== 'ALIYUN::ESS::ScalingGroup') return [];
    const listeners = DependsOn.map((id) => template.Resources[id]?.Properties['LoadBalancerId']);
    const awaited = new Set(namesIn(listeners));
    return namesIn(Properties['LoadBalancerIds'])
      .filter((balancer) => !awaited.has(balancer))
      .map((balancer) => ({ resource, text: `the group does not wait for a listener of ${balancer}` }));
  });

const replicaStorage: Rule = each(
  ['ALIYUN::RDS::ReadOnlyDBInstance'],
  ({ DBInstanceStorage, DBInstanceId }, template) => {
    const [primary = ''] = namesIn(DBInstanceId);
    const least = Number(template.Resources[primary]?.Properties['DBInstanceStorage'] ?? 0);
    const size = Number(DBInstanceStorage);
    return unless(
      size >= least && size <= databaseGib.maxWithReplicas,
      `a replica of ${size} GiB; it needs ${least} to ${databaseGib.maxWithReplicas}`,
    );
  },
);

const engineOf = (name: Json | undefined) =>
  Object.values(databaseEngines).find((engine) => engine.name === name);

const replicaClass = /^(mysql|pg)ro\.[a-z0-9.]+$/;

const rules: Readonly<Record<string, Rule>> = {
  'vswitch-inside-vpc': vswitchInsideVpc,
  'vswitch-overlap': vswitchOverlap,
  'db-storage-step': each(
    ['ALIYUN::RDS::DBInstance', 'ALIYUN::RDS::ReadOnlyDBInstance'],
    ({ DBInstanceStorage: size }) =>
      unless(
        Number(size) >= databaseGib.min && Number(size) % databaseGib.step === 0,
        `storage of ${Number(size)} GiB; it needs at least ${databaseGib.min}, in steps of ${databaseGib.step}`,
      ),
  ),
  'replica-storage': replicaStorage,
  'min-not-above-max': each(['ALIYUN::ESS::ScalingGroup'], ({ MinSize, MaxSize }) =>
    unless(Number(MinSize) <= Number(MaxSize), 'the minimum size is greater than the maximum'),
  ),
  'spot-needs-policy': spotNeedsPolicy,
  'group-needs-enable': groupNeedsEnable,
  'image-or-family': each(servers, ({ ImageId, ImageFamily }) =>
    unless(
      (ImageId === undefined) !== (ImageFamily === undefined),
      'servers need an image or a family, not both',
    ),
  ),
  'user-data-size': each(servers, ({ UserData }) =>
    unless(
      Buffer.byteLength(text(UserData)) <= limits.userDataBytes,
      `the script of servers has more than ${limits.userDataBytes} bytes`,
    ),
  ),
  'group-after-listener': groupAfterListener,
  'known-instance-type': each(servers, ({ InstanceType, InstanceTypes }) => {
    const types = [...list(InstanceTypes), ...(InstanceType === undefined ? [] : [InstanceType])].map(text);
    const isRight = types.length > 0 && types.length <= limits.groupTypes && types.every(isInstanceType);
    return unless(isRight, `instance types ${types.join(', ')}`);
  }),
  'known-db-class': (template) => [
    ...each(['ALIYUN::RDS::DBInstance'], ({ Engine, DBInstanceClass }) =>
      unless(engineOf(Engine)?.type.test(text(DBInstanceClass)) === true, `class ${text(DBInstanceClass)}`),
    )(template),
    ...each(['ALIYUN::RDS::ReadOnlyDBInstance'], ({ DBInstanceClass }) =>
      unless(replicaClass.test(text(DBInstanceClass)), `class ${text(DBInstanceClass)} of a replica`),
    )(template),
    ...each(['ALIYUN::REDIS::Instance'], ({ InstanceClass }) =>
      unless(cacheEngines.redis.type.test(text(InstanceClass)), `class ${text(InstanceClass)}`),
    )(template),
  ],
  'engine-version': each(['ALIYUN::RDS::DBInstance'], ({ Engine, EngineVersion }) =>
    unless(
      engineOf(Engine)?.versions.includes(text(EngineVersion)) === true,
      `version ${text(EngineVersion)} of ${text(Engine)}`,
    ),
  ),
  'https-certificate': each(['ALIYUN::SLB::Listener'], ({ Protocol, ServerCertificateId }) =>
    unless(
      Protocol !== 'https' || text(ServerCertificateId) !== '',
      'a listener for https needs a certificate',
    ),
  ),
};

export const ruleNames: readonly string[] = Object.keys(rules);

export const ruleViolations = (template: Template): Violation[] =>
  Object.entries(rules).flatMap(([name, rule]) =>
    rule(template).map(({ resource, text: what }) => ({
      resource,
      message: `${resource} breaks ${name}, a rule of Almanac for Alibaba Cloud: ${what}`,
    })),
  );
