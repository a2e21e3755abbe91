import type { Layer } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import type { CompiledResource } from '../document.ts';
import { instanceNames, iopsOf } from '../layout/disks.ts';
import { zoneOf } from '../layout/placement.ts';
import * as names from '../names.ts';
import { type Context, type Entry, keptAsSnapshot } from './context.ts';
import { serverTags } from './tags.ts';

/** The logical id of the volume with a server's persistent files; undefined: it has none. */
export function filesOf(context: Context, layer: Layer, server: string): string | undefined {
  const { choices } = context;
  if (!choices.disks[server]?.files || !hasAgent(context, layer)) return undefined;
  return names.files(layer.flag, instanceNames(layer).indexOf(server), zoneOf(layer, choices));
}

/** The volumes of a layer's servers. A server attaches its volume itself: see user-data.sh. */
export const files = (context: Context, layer: Layer): Entry[] =>
  instanceNames(layer).flatMap((server): Entry[] => {
    const id = filesOf(context, layer, server);
    return id === undefined ? [] : [[id, volume(context, layer, server)]];
  });

function volume(context: Context, layer: Layer, server: string): CompiledResource {
  const { type = '', madeGib = 0 } = context.choices.disks[server] ?? {};
  return {
    Type: 'AWS::EC2::Volume',
    ...keptAsSnapshot,
    Properties: {
      AvailabilityZone: zoneOf(layer, context.choices),
      VolumeType: type,
      Size: madeGib,
      ...iopsOf(type, madeGib),
      Encrypted: true,
      Tags: serverTags(context, layer),
    },
  };
}
