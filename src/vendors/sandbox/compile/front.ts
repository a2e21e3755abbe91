import type { Container, Layer, LoadBalancer, StackModel } from '../../../model/stack-model.ts';
import { containerWaitSeconds } from '../catalog.ts';
import type { DocumentResource } from '../document.ts';
import * as names from '../names.ts';
import { needsFileSystem } from './network.ts';
import { instanceNames } from './servers.ts';

/** What stands in front of a layer's servers, and the wait until their containers run. */
export function frontResources(model: StackModel, layer: Layer): DocumentResource[] {
  const resources: DocumentResource[] = [];
  if (layer.loadBalancer) resources.push(balancer(layer, layer.loadBalancer));
  if (layer.container) resources.push(containerWait(model, layer, layer.container));
  return resources;
}

const flagsOr = (flags: readonly string[], own: string): readonly string[] =>
  flags.length > 0 ? flags : [own];

/** Fixed servers are put behind the load balancer one by one; a group is made after it and joins by itself. */
function balancer(layer: Layer, asked: LoadBalancer): DocumentResource {
  const { flag, capacity } = layer;
  const { kind, scheme, listeners, healthCheck } = asked;
  const subnets = flagsOr(asked.subnetsOf, flag).map(names.subnet);
  const securityGroups = flagsOr(asked.securityGroupsOf, flag).map(names.securityGroup);
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

/** The layer is up only when its containers are; a deployment changes this resource and no other. */
function containerWait(model: StackModel, layer: Layer, container: Container): DocumentResource {
  const { flag, capacity } = layer;
  const owner =
    capacity.kind === 'shared' ? model.layers.find((other) => other.flag === capacity.groupOf) : layer;
  const madeHere = needsFileSystem(layer) ? [names.fileSystem(flag)] : [];
  const storage = container.storage && {
    ...container.storage,
    id: container.storage.id ?? madeHere[0] ?? null,
  };
  return {
    name: names.containerWait(flag),
    type: 'ContainerWait',
    dependsOn: [...madeHere, ...instanceNames(owner ?? layer)],
    properties: { flag, ...container, storage, timeoutSeconds: containerWaitSeconds },
  };
}
