import type { ResourceKind } from '../../model/status.ts';
import type { DeclaredResource } from '../resources.ts';
import { layerFinder } from '../shared/layer-of.ts';
import type { AlicloudDocument, ResourceType } from './document.ts';
import { dependenciesOf } from './layout/references.ts';
import { layerNames } from './names.ts';

const kinds: Readonly<Record<ResourceType, ResourceKind>> = {
  'ALIYUN::ECS::VPC': 'network',
  'ALIYUN::ECS::VSwitch': 'network',
  'ALIYUN::VPC::NatGateway': 'network',
  'ALIYUN::VPC::EIP': 'network',
  'ALIYUN::VPC::EIPAssociation': 'network',
  'ALIYUN::VPC::SnatEntry': 'network',
  'ALIYUN::VPC::NetworkAcl': 'network',
  'ALIYUN::VPC::NetworkAclAssociation': 'network',
  'ALIYUN::ECS::SecurityGroup': 'network',
  'ALIYUN::ECS::SSHKeyPair': 'other',
  'ALIYUN::RAM::Role': 'other',
  'ALIYUN::ECS::InstanceGroup': 'server',
  'ALIYUN::ESS::ScalingGroup': 'group',
  'ALIYUN::ESS::ScalingConfiguration': 'other',
  'ALIYUN::ESS::ScalingGroupEnable': 'other',
  'ALIYUN::ESS::ScalingRule': 'other',
  'ALIYUN::SLB::LoadBalancer': 'balancer',
  'ALIYUN::SLB::Listener': 'other',
  'ALIYUN::SLB::BackendServerAttachment': 'other',
  'ALIYUN::RDS::DBInstance': 'database',
  'ALIYUN::RDS::ReadOnlyDBInstance': 'database',
  'ALIYUN::REDIS::Instance': 'cache',
  'ALIYUN::REDIS::Whitelist': 'network',
  'ALIYUN::Memcache::Instance': 'cache',
  'ALIYUN::Memcache::Whitelist': 'network',
};

export function resourcesOf({ template }: AlicloudDocument, flags: readonly string[]): DeclaredResource[] {
  const layerOf = layerFinder(flags, layerNames);
  return Object.entries(template.Resources).map(([name, resource]) => ({
    name,
    type: resource.Type,
    kind: kinds[resource.Type],
    layer: layerOf(name),
    dependsOn: dependenciesOf(template, resource),
    definition: resource,
  }));
}
