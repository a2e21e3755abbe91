import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import type { Group } from '../../shared/capacity.ts';
import {
  groupSizeProblems,
  layerReferenceProblems,
  roomProblems,
  sharedGroupProblems,
} from '../../shared/checks.ts';
import { maxServers } from '../../shared/layers.ts';
import { reservedAddresses } from '../catalog.ts';
import type { Context } from '../compile/context.ts';

/** Problems of a layer's capacity: size, zones and references. */
export function capacityProblems({ model, dialect }: Context, layer: Layer, path: string): Problem[] {
  const { capacity, subnet } = layer;
  if (capacity.kind === 'shared') return sharedGroupProblems(model, at(path, 'groupOf'), capacity.groupOf);
  const block = parseBlock(subnet.cidr);
  const room = block ? Math.max(0, sizeOf(block.prefix) - reservedAddresses) : maxServers(layer);
  const problems = roomProblems(maxServers(layer), { cidr: subnet.cidr, room, kind: capacity.kind }, path);
  if (capacity.kind === 'fixed') return problems;
  return [
    ...problems,
    ...groupSizeProblems(capacity, path),
    ...layerReferenceProblems(model, path, capacity),
    ...zoneProblems(capacity, dialect.label, path),
  ];
}

/** Every member of a group is made from the same template, which names one zone. */
const zoneProblems = ({ zones }: Group, label: string, path: string): Problem[] =>
  zones.length <= 1
    ? []
    : [
        {
          path: at(path, 'zones'),
          message: `On ${label}, a group runs in one zone, not in ${zones.length}. Name one, or none and let the cloud choose.`,
        },
      ];
