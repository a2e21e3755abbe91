import type { Layer } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import { securityGroupLayers } from '../../shared/layers.ts';
import { rootDevice } from '../catalog.ts';
import { type Json, type Properties, ref } from '../document.ts';
import { instanceNames, iopsOf, wantedDisk } from '../layout/disks.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { filesOf } from './files.ts';
import { canSignal } from './internet-access.ts';
import { routeDependencies } from './network.ts';
import { serverTags } from './tags.ts';
import { groupId } from './traffic-rules.ts';
import { userData } from './user-data.ts';

/** How long a server may take to signal that it is up. */
export const signalTimeout = 'PT15M';

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
    BlockDeviceMappings: [
      {
        DeviceName: machineImages[image]?.rootDevice ?? rootDevice,
        Ebs: disk(context, layer, waiting),
      },
    ],
    MetadataOptions: metadataOptions(layer),
    UserData: {
      'Fn::Base64': userData(context, layer, { resource: waiting, files: filesOf(context, layer, waiting) }),
    },
  };
}

/** Members of groups have no disk of their own in the choices: a new size reaches them as new members. */
function disk({ choices }: Context, layer: Layer, id: string): Properties {
  const { type, sizeGib } = wantedDisk(layer);
  const size = choices.disks[id]?.madeGib ?? sizeGib;
  return {
    VolumeType: type,
    VolumeSize: size,
    Encrypted: true,
    DeleteOnTermination: true,
    ...iopsOf(type, size),
  };
}

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
