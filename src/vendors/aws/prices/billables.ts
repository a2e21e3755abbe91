import { type Billable, type Charge, hoursPerMonth } from '../../../model/cost.ts';
import type { AwsDocument, Template, TemplateResource } from '../document.ts';
import { withGrownDisk } from './grown-disk.ts';
import { items } from './items.ts';
import { diskCharges, groupCharges, instanceCharges } from './server-charges.ts';
import { listOf, numberOf, propertiesOf, resourceAt, textOf } from './template-values.ts';

type Properties = Readonly<Record<string, unknown>>;
type ChargesOf = (properties: Properties, template: Template) => Charge[];

const always = (item: string, units: number): Charge => ({ item, atMinimum: units, atMaximum: units });
const hourly = (item: string, count = 1): Charge => always(item, count * hoursPerMonth);

/** A public load balancer has an address in every zone. */
function balancerCharges(balancer: Properties): Charge[] {
  const zones = [...listOf(balancer['Subnets']), ...listOf(balancer['SubnetMappings'])].length;
  const isInternal = balancer['Scheme'] === 'internal';
  return [
    hourly(items.loadBalancer(textOf(balancer['Type']) || 'application')),
    ...(isInternal ? [] : [hourly(items.publicAddress, zones)]),
  ];
}

/** A replica has the engine and the storage of its source. */
function databaseCharges(database: Properties, template: Template): Charge[] {
  const source = propertiesOf(resourceAt(template, database['SourceDBInstanceIdentifier']));
  const engine = textOf(database['Engine']) || textOf(source['Engine']);
  const multiZone = database['MultiAZ'] === true;
  const gib = numberOf(database['AllocatedStorage'] ?? source['AllocatedStorage']);
  return [
    hourly(items.database(engine, textOf(database['DBInstanceClass']), multiZone)),
    always(items.databaseStorage(engine, textOf(database['StorageType']), multiZone), gib),
  ];
}

const cacheCharges =
  (nodes: string): ChargesOf =>
  (cache) => [
    hourly(
      items.cacheNode(textOf(cache['Engine']), textOf(cache['CacheNodeType'])),
      numberOf(cache[nodes]) || 1,
    ),
  ];

/** Target tracking uses two alarms: one to add servers, one to remove them. */
const policyCharges: ChargesOf = (policy) =>
  policy['PolicyType'] === 'TargetTrackingScaling' ? [always(items.alarm, 2)] : [];

const chargesByType: Readonly<Record<string, ChargesOf>> = {
  'AWS::EC2::Instance': (server, template) => instanceCharges(template, server),
  'AWS::AutoScaling::AutoScalingGroup': (group, template) => groupCharges(template, group),
  'AWS::AutoScaling::ScalingPolicy': policyCharges,
  'AWS::CloudWatch::Alarm': () => [always(items.alarm, 1)],
  'AWS::EC2::EIP': () => [hourly(items.publicAddress)],
  'AWS::EC2::NatGateway': () => [hourly(items.natGateway)],
  'AWS::EC2::Volume': (volume) => diskCharges(volume),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': balancerCharges,
  'AWS::RDS::DBInstance': databaseCharges,
  'AWS::ElastiCache::ReplicationGroup': cacheCharges('NumCacheClusters'),
  'AWS::ElastiCache::CacheCluster': cacheCharges('NumCacheNodes'),
  'AWS::SecretsManager::Secret': () => [always(items.secret, 1)],
};

/** Types that AWS does not charge for by themselves. Every other type is charged, or its cost is unknown. */
export const freeTypes: ReadonlySet<string> = new Set([
  'AWS::AutoScaling::LifecycleHook',
  'AWS::EC2::InternetGateway',
  'AWS::EC2::KeyPair',
  'AWS::EC2::LaunchTemplate',
  'AWS::EC2::NetworkAcl',
  'AWS::EC2::NetworkAclEntry',
  'AWS::EC2::Route',
  'AWS::EC2::RouteTable',
  'AWS::EC2::SecurityGroup',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::Subnet',
  'AWS::EC2::SubnetNetworkAclAssociation',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPC',
  'AWS::EC2::VPCGatewayAttachment',
  'AWS::ElastiCache::ParameterGroup',
  'AWS::ElastiCache::SubnetGroup',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::ElasticLoadBalancingV2::TargetGroup',
  'AWS::IAM::InstanceProfile',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::RDS::DBParameterGroup',
  'AWS::RDS::DBSubnetGroup',
  'AWS::SecretsManager::SecretTargetAttachment',
]);

const chargesOf = (template: Template, resource: TemplateResource): Charge[] => {
  const { Type: type } = resource;
  const charges = chargesByType[type];
  return charges ? charges(propertiesOf(resource), template) : [always(items.resource(type), 1)];
};

/** What the resources of a template are charged for; without those that are free. */
export const billables = ({ template, choices }: AwsDocument): Billable[] =>
  Object.entries(template.Resources)
    .filter(([, { Type: type }]) => !freeTypes.has(type))
    .map(([resource, content]) => ({
      resource,
      resourceType: content.Type,
      charges: chargesOf(template, withGrownDisk(choices, resource, content)),
    }))
    .filter(({ charges }) => charges.length > 0);
