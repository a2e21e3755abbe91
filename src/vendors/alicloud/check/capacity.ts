import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { type Group, hostLayers, scalingOf } from '../../shared/capacity.ts';
import {
  groupSizeProblems,
  layerReferenceProblems,
  roomProblems,
  sharedGroupProblems,
} from '../../shared/checks.ts';
import { maxServers } from '../../shared/layers.ts';
import { limits, reservedAddresses } from '../catalog.ts';
import type { Context } from '../compile/context.ts';
import * as names from '../names.ts';

/** Problems of a layer's capacity: size, zones and references. */
export function capacityProblems(context: Context, layer: Layer, path: string): Problem[] {
  const { model } = context;
  const { capacity } = layer;
  if (capacity.kind === 'shared') return sharedGroupProblems(model, at(path, 'groupOf'), capacity.groupOf);
  return [
    ...subnetSizeProblems(context, layer, path),
    ...(capacity.kind === 'group' ? groupProblems(context, { layer, group: capacity, path }) : []),
  ];
}

/** The servers of a group are spread over its subnets. */
function subnetSizeProblems({ model }: Context, layer: Layer, path: string): Problem[] {
  const servers = Math.ceil(maxServers(layer) / hostLayers(model, layer).length);
  const { cidr } = layer.subnet;
  const block = parseBlock(cidr);
  const room = block ? Math.max(0, sizeOf(block.prefix) - reservedAddresses) : servers;
  return roomProblems(servers, { cidr, room, kind: layer.capacity.kind }, path);
}

interface CheckedGroup {
  layer: Layer;
  group: Group;
  path: string;
}

function groupProblems(context: Context, { layer, group, path }: CheckedGroup): Problem[] {
  const { model } = context;
  const subnets = hostLayers(model, layer).length;
  return [
    ...groupSizeProblems(group, path),
    ...layerReferenceProblems(model, path, group),
    ...zoneProblems(context, { layer, group, path }),
    ...scalingProblems(group, at(path, 'scaling')),
    ...(subnets > limits.groupSubnets
      ? [
          {
            path: at(path, 'subnetsOf'),
            message: `A group of Alibaba Cloud has at most ${limits.groupSubnets} subnets, not ${subnets}. Name fewer layers.`,
          },
        ]
      : []),
  ];
}

/** A group runs in the zones of its subnets. */
function zoneProblems({ model, choices }: Context, { layer, group, path }: CheckedGroup): Problem[] {
  const covered = new Set(hostLayers(model, layer).map(({ flag }) => choices.places[names.subnet(flag)]));
  return group.zones.flatMap((zone, index) =>
    covered.has(zone)
      ? []
      : [
          {
            path: at(path, 'zones', index),
            message: `The group has no subnet in ${zone}. Add a layer in that zone to the group's subnets, or remove the zone.`,
          },
        ],
  );
}

const maxCpuPercent = 100;

function scalingProblems(group: Group, path: string): Problem[] {
  const scaling = scalingOf(group);
  if (!scaling) return [];
  if (scaling.metric !== 'cpu')
    return [
      {
        path,
        message:
          'Groups of Alibaba Cloud do not know the requests at this kind of load balancer (CLB). Scale by CPU.',
      },
    ];
  return scaling.target <= maxCpuPercent
    ? []
    : [
        {
          path: at(path, 'target'),
          message: `CPU use is at most ${maxCpuPercent} percent, not ${scaling.target}.`,
        },
      ];
}
