import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { type Group, scalingOf } from '../../shared/capacity.ts';
import {
  groupSizeProblems,
  layerReferenceProblems,
  roomProblems,
  sharedGroupProblems,
} from '../../shared/checks.ts';
import { balancerLayers, maxServers } from '../../shared/layers.ts';
import type { CheckContext } from '../compile/context.ts';
import { requestBalancer } from '../layout/listeners.ts';
import { layerSubnets, serverSubnets } from '../layout/placement.ts';
import { reservedAddresses } from '../layout/spread.ts';
import { belongsTo } from '../layout/zone.ts';

/** Problems of a layer's capacity: size, zones and references. */
export function capacityProblems(checked: CheckContext, layer: Layer, path: string): Problem[] {
  const { model } = checked;
  const { capacity } = layer;
  if (capacity.kind === 'shared') return sharedGroupProblems(model, at(path, 'groupOf'), capacity.groupOf);
  return [
    ...subnetSizeProblems(checked, layer, path),
    ...(capacity.kind === 'group' ? groupProblems({ checked, layer, group: capacity, path }) : []),
  ];
}

/** The servers of a group are spread over its subnets. */
function subnetSizeProblems({ model, choices }: CheckContext, layer: Layer, path: string): Problem[] {
  const subnets = serverSubnets(model, layer, choices);
  const servers = Math.ceil(maxServers(layer) / subnets.length);
  const own = new Set(layerSubnets(layer, choices).map(({ id }) => id));
  return subnets.flatMap(({ id, cidr }) => {
    if (!own.has(id)) return [];
    const block = parseBlock(cidr);
    const room = block ? Math.max(0, sizeOf(block.prefix) - reservedAddresses) : servers;
    return roomProblems(servers, { cidr, room, kind: layer.capacity.kind }, path);
  });
}

interface CheckedGroup {
  checked: CheckContext;
  layer: Layer;
  group: Group;
  path: string;
}

function groupProblems({ checked: { model, choices }, layer, group, path }: CheckedGroup): Problem[] {
  const covered = serverSubnets(model, layer, choices).map(({ zone }) => zone);
  const zoneProblems = group.zones.flatMap((zone, index) =>
    zoneMessages(zone, model.region, covered).map((message) => ({ path: at(path, 'zones', index), message })),
  );
  return [
    ...groupSizeProblems(group, path),
    ...zoneProblems,
    ...layerReferenceProblems(model, path, group),
    ...scalingProblems(model, layer, path),
  ];
}

function scalingProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const scaling = layer.capacity.kind === 'group' ? scalingOf(layer.capacity) : null;
  if (scaling?.metric !== 'requests' || requestBalancer(balancerLayers(model, layer))) return [];
  const message =
    'AWS counts requests only at a load balancer with http and https listeners. Add one, or scale by CPU.';
  return [{ path: at(path, 'scaling'), message }];
}

/** A group runs in the zones of its subnets. */
function zoneMessages(zone: string, region: string, covered: readonly string[]): string[] {
  if (!belongsTo(zone, region)) return [`${zone} is not a zone of ${region}.`];
  if (covered.includes(zone)) return [];
  return [
    `The group has no subnet in ${zone}. Give the layer another or a larger cidr, which is then divided between the zones, ` +
      "add a layer in that zone to the group's subnets, or remove the zone.",
  ];
}
