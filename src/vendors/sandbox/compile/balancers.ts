import { createHash } from 'node:crypto';
import type { Container, Layer, LoadBalancer, StackModel } from '../../../model/stack-model.ts';
import { containerWaitSeconds } from '../catalog.ts';
import type { DocumentResource } from '../document.ts';
import * as names from '../names.ts';
import { needsFileSystem } from './network.ts';
import { instanceNames } from './servers.ts';

/** A layer's load balancer, and the wait until its containers run. */
export function balancerResources(model: StackModel, layer: Layer): DocumentResource[] {
  const resources: DocumentResource[] = [];
  if (layer.loadBalancer) resources.push(balancer(layer, layer.loadBalancer));
  if (layer.container) resources.push(containerWait(model, layer, layer.container));
  return resources;
}

const flagsOr = (flags: readonly string[], own: string): readonly string[] =>
  flags.length > 0 ? flags : [own];

/** Fixed servers are registered one by one. A group is created after the load balancer and registers its members. */
function balancer(layer: Layer, loadBalancer: LoadBalancer): DocumentResource {
  const { flag, capacity } = layer;
  const { kind, scheme, listeners, healthCheck } = loadBalancer;
  const subnets = flagsOr(loadBalancer.subnetsOf, flag).map(names.subnet);
  const securityGroups = flagsOr(loadBalancer.securityGroupsOf, flag).map(names.securityGroup);
  const instances = capacity.kind === 'fixed' ? instanceNames(layer) : [];
  const groupOf = capacity.kind === 'shared' ? capacity.groupOf : flag;
  return {
    name: names.loadBalancer(flag),
    type: 'LoadBalancer',
    dependsOn: [names.gatewayAttachment, ...subnets, ...securityGroups, ...instances],
    properties: {
      flag,
      kind,
      scheme,
      subnets,
      securityGroups,
      targets: capacity.kind === 'fixed' ? instances : [names.scalingGroup(groupOf)],
      listeners,
      healthCheck,
    },
  };
}

/** A change of the variables is a change of the resource. The variables themselves may be large, and no server is there to read them. */
const digestOf = (environment: Container['environment']): string =>
  createHash('sha256').update(JSON.stringify(environment)).digest('hex');

/** The layer is ready when its containers are. A deployment changes only this resource. */
function containerWait(model: StackModel, layer: Layer, container: Container): DocumentResource {
  const { flag, capacity } = layer;
  const { environment, ...settings } = container;
  const owner =
    capacity.kind === 'shared' ? model.layers.find((other) => other.flag === capacity.groupOf) : layer;
  const ownFileSystem = needsFileSystem(layer) ? [names.fileSystem(flag)] : [];
  const storage = container.storage && {
    ...container.storage,
    id: container.storage.id ?? ownFileSystem[0] ?? null,
  };
  return {
    name: names.containerWait(flag),
    type: 'ContainerWait',
    dependsOn: [...ownFileSystem, ...instanceNames(owner ?? layer)],
    properties: {
      flag,
      ...settings,
      storage,
      environmentDigest: digestOf(environment),
      timeoutSeconds: containerWaitSeconds,
    },
  };
}
