import { keyPairName } from '../../../model/names.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { catalog, minIops, rootDevice, volumeTypes } from '../catalog.ts';
import { type Json, type Properties, ref } from '../document.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { guardsOf } from '../layout/placement.ts';
import * as names from '../names.ts';
import { groupId } from './borders.ts';
import { after, type Context, type Entry } from './context.ts';
import { wayOutOf } from './network.ts';
import { hasAgent, userData } from './user-data.ts';
import { canSignal } from './way-out.ts';

/** How long a server may take to say that it is up. */
export const signalTimeout = 'PT15M';

/** Servers are found by these. */
export const serverTags = ({ stackId }: Context, { flag }: Layer): { Key: string; Value: string }[] => [
  { Key: names.stackTag, Value: stackId },
  { Key: names.flagTag, Value: flag },
  { Key: 'Name', Value: keyPairName(stackId, flag) },
];

/** AWS names them alike for a server of its own and in a launch template. `waiting`: the resource that waits for its signal. */
export function launchProperties(context: Context, layer: Layer, waiting: string): Properties {
  const { images, machineImages } = context.choices;
  const image = layer.machineImage ?? images[layer.flag]?.id ?? '';
  return {
    ImageId: image,
    InstanceType: instanceTypeOf(layer),
    SecurityGroupIds: guardsOf(context.model, layer).map(({ flag }) => groupId(names.securityGroup(flag))),
    ...(layer.keyPair ? { KeyName: ref(names.keyPair(layer.flag)) } : {}),
    BlockDeviceMappings: [{ DeviceName: machineImages[image]?.rootDevice ?? rootDevice, Ebs: disk(layer) }],
    // Version 2 of the metadata service only; containers are one hop further away.
    MetadataOptions: { HttpEndpoint: 'enabled', HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
    UserData: { 'Fn::Base64': userData(context, layer, waiting) },
  };
}

function disk({ volume }: Layer): Properties {
  const type = volume.type ?? catalog.defaultVolumeType;
  const size = volume.sizeGib ?? catalog.defaultVolumeGib;
  const { iopsPerGib } = volumeTypes[type] ?? {};
  return {
    VolumeType: type,
    VolumeSize: size,
    Encrypted: true,
    DeleteOnTermination: true,
    ...(iopsPerGib ? { Iops: Math.max(minIops, size * iopsPerGib) } : {}),
  };
}

export const instanceNames = ({ flag, capacity }: Layer): string[] =>
  capacity.kind === 'fixed'
    ? Array.from({ length: capacity.count }, (_, index) => names.instance(flag, index))
    : [];

/** A layer's servers where it has a fixed number of them. */
export const servers = (context: Context, layer: Layer): Entry[] =>
  instanceNames(layer).map((id) => server(context, layer, id));

function server(context: Context, layer: Layer, id: string): Entry {
  const signals = canSignal(context, layer);
  const profile: Json = ref(names.instanceProfile(layer.flag));
  return [
    id,
    {
      Type: 'AWS::EC2::Instance',
      ...after(wayOutOf(context, layer)),
      ...(signals ? { CreationPolicy: { ResourceSignal: { Count: 1, Timeout: signalTimeout } } } : {}),
      Properties: {
        ...launchProperties(context, layer, id),
        SubnetId: ref(names.subnet(layer.flag)),
        ...(hasAgent(context, layer) ? { IamInstanceProfile: profile } : {}),
        PropagateTagsToVolumeOnCreation: true,
        Tags: serverTags(context, layer),
      },
    },
  ];
}
