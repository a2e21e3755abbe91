import { entryOf } from '../../../basics/entry-of.ts';
import { keyPairName } from '../../../model/names.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import { securityGroupLayers } from '../../shared/layers.ts';
import { catalog, rootDevice, volumeTypes } from '../catalog.ts';
import { type Json, type Properties, ref } from '../document.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { canSignal } from './internet-access.ts';
import { routeDependencies } from './network.ts';
import { groupId } from './traffic-rules.ts';
import { userData } from './user-data.ts';

/** How long a server may take to signal that it is up. */
export const signalTimeout = 'PT15M';

/** The tags by which servers are found. */
export const serverTags = ({ stackId }: Context, { flag }: Layer): { Key: string; Value: string }[] => [
  { Key: names.stackTag, Value: stackId },
  { Key: names.flagTag, Value: flag },
  { Key: 'Name', Value: keyPairName(stackId, flag) },
];

/**
 * IMDSv2 only, and one hop: the agent on the server reaches the keys of the server's role, the application's container,
 * which is one hop further away, does not. In a group, the agent reads the name of the group from the tags. Other servers do
 * not offer their tags: AWS then rejects tags with spaces, which a user may have added by hand.
 */
const metadataOptions = ({ capacity }: Layer): Properties => ({
  HttpEndpoint: 'enabled',
  HttpTokens: 'required',
  HttpPutResponseHopLimit: 1,
  ...(capacity.kind === 'fixed' ? {} : { InstanceMetadataTags: 'enabled' }),
});

/** Properties that instances and launch templates share. `waiting`: the resource that waits for the signal. */
export function launchProperties(context: Context, layer: Layer, waiting: string): Properties {
  const { images, machineImages } = context.choices;
  const image = layer.machineImage ?? images[layer.flag]?.id ?? '';
  return {
    ImageId: image,
    InstanceType: instanceTypeOf(layer),
    SecurityGroupIds: securityGroupLayers(context.model, layer).map(({ flag }) =>
      groupId(names.securityGroup(flag)),
    ),
    ...(layer.keyPair ? { KeyName: ref(names.keyPair(layer.flag)) } : {}),
    BlockDeviceMappings: [{ DeviceName: machineImages[image]?.rootDevice ?? rootDevice, Ebs: disk(layer) }],
    MetadataOptions: metadataOptions(layer),
    UserData: { 'Fn::Base64': userData(context, layer, waiting) },
  };
}

function disk({ volume }: Layer): Properties {
  const type = volume.type ?? catalog.defaultVolumeType;
  const size = volume.sizeGib ?? catalog.defaultVolumeGib;
  const { iops } = entryOf(volumeTypes, type) ?? {};
  return {
    VolumeType: type,
    VolumeSize: size,
    Encrypted: true,
    DeleteOnTermination: true,
    ...(iops ? { Iops: Math.min(iops.max, Math.max(iops.min, size * iops.perGib)) } : {}),
  };
}

export const instanceNames = ({ flag, capacity }: Layer): string[] =>
  capacity.kind === 'fixed'
    ? Array.from({ length: capacity.count }, (_, index) => names.instance(flag, index))
    : [];

/** The servers of a layer with a fixed number of servers. */
export const servers = (context: Context, layer: Layer): Entry[] =>
  instanceNames(layer).map((id) => server(context, layer, id));

function server(context: Context, layer: Layer, id: string): Entry {
  const signals = canSignal(context, layer);
  const profile: Json = ref(names.instanceProfile(layer.flag));
  return [
    id,
    {
      Type: 'AWS::EC2::Instance',
      ...dependsOn(routeDependencies(context, layer)),
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
