import type { Layer } from '../../../model/stack-model.ts';
import { hasAgent, mayConnect } from '../../shared/agents.ts';
import { balancerLayers, securityGroupLayers } from '../../shared/layers.ts';
import { readHealthTarget } from '../../shared/listeners.ts';
import type { ChosenServer, ChosenVolume } from '../choices.ts';
import { type Json, type Properties, resource } from '../document.ts';
import { hasFiles } from '../layout/files.ts';
import { zoneOfLayer } from '../layout/zones.ts';
import * as names from '../names.ts';
import type { Context } from './context.ts';
import { launchMark, userData, userDataText } from './user-data.ts';

/** What a server is made from. In the template of a group's member the values are parameters. */
export interface Launch {
  name: Json;
  image: Json;
  flavor: Json;
  key?: Json;
  zone?: Json;
  network: Json;
  subnet: Json;
  securityGroups: Json;
  metadata: Json;
  userData?: Json;
  volume?: LaunchVolume;
  /** A second volume, with the data. */
  data?: LaunchVolume;
  /** The network of its public address; absent: it has none. */
  floatingNetwork?: Json;
  pools: readonly PoolPlace[];
}

export interface LaunchVolume {
  sizeGib: Json;
  type?: Json;
  zone?: Json;
}

/** Where a server receives requests of a load balancer. */
interface PoolPlace {
  /** The name of the pool in the template of the stack. */
  name: string;
  pool: Json;
  port: Json;
  monitorPort: Json;
}

/** The zone of a layer's servers; undefined: the cloud chooses. */
export const zoneOf = ({ dialect, choices }: Context, layer: Layer): string | undefined =>
  zoneOfLayer(dialect, choices.zone, layer) || undefined;

const launchVolume = ({ sizeGib, type, zone }: ChosenVolume): LaunchVolume => ({
  sizeGib,
  ...(type === '' ? {} : { type }),
  ...(zone === '' ? {} : { zone }),
});

export const volumesOf = (
  { volume, data }: ChosenServer,
  hasData: boolean,
): Pick<Launch, 'volume' | 'data'> => ({
  ...(volume ? { volume: launchVolume(volume) } : {}),
  ...(data && hasData ? { data: launchVolume(data) } : {}),
});

/** Members of a group have an address of their own only where no load balancer has one for them. */
const hasPublicAddress = ({ model }: Context, layer: Layer): boolean =>
  layer.subnet.public &&
  layer.subnet.assignPublicIp &&
  (layer.capacity.kind === 'fixed' || balancerLayers(model, layer).length === 0);

const poolsOf = ({ model }: Context, layer: Layer): PoolPlace[] =>
  balancerLayers(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer?.listeners ?? []).map(({ port, instancePort }) => ({
      name: names.pool(flag, port),
      pool: resource(names.pool(flag, port)),
      port: instancePort,
      monitorPort: readHealthTarget(loadBalancer?.healthCheck.target ?? '')?.port ?? instancePort,
    })),
  );

export const serverMetadata = ({ stackId }: Context, { flag }: Layer): Properties => ({
  [names.stackKey]: stackId,
  [names.flagKey]: flag,
});

/** `name`: of the server in the cloud. */
export function launchOf(context: Context, layer: Layer, name: string): Launch {
  const { model, choices } = context;
  const chosen = choices.servers[layer.flag];
  const zone = zoneOf(context, layer);
  const script = userData(context, layer);
  return {
    name,
    image: chosen?.image ?? '',
    flavor: chosen?.flavor.name ?? '',
    ...(layer.keyPair ? { key: resource(names.keyPair(layer.flag)) } : {}),
    ...(zone === undefined ? {} : { zone }),
    network: resource(names.network),
    subnet: resource(names.subnet(layer.flag)),
    securityGroups: securityGroupLayers(model, layer).map(({ flag }) => resource(names.securityGroup(flag))),
    metadata: serverMetadata(context, layer),
    ...(script === undefined ? {} : { userData: script }),
    ...(chosen ? volumesOf(chosen, hasFiles(layer)) : {}),
    ...(hasPublicAddress(context, layer) ? { floatingNetwork: choices.externalNetwork } : {}),
    pools: context.dialect.ownServices ? [] : poolsOf(context, layer),
  };
}

/** Marks of a launch: each is equal for launches of which none replaces a server of the other. */
export interface LaunchMarks {
  /** Of the volume that a server boots from. */
  boot: string;
  /** Of the wait for its agent; undefined: there is none, because no agent could report, or nobody could tell Heat. */
  wait: string | undefined;
}

export const marksOf = (context: Context, layer: Layer): LaunchMarks => ({
  boot: launchMark(replacing(context, layer)),
  wait: waitMark(context, layer),
});

/** What replaces a server, apart from its volume. An agent reports only once: a server that stays must keep its mark. */
function replacing(context: Context, layer: Layer): unknown[] {
  const keepsScript = layer.capacity.kind === 'fixed' && context.dialect.capabilities.keepsScripts;
  const hasScript = !keepsScript && hasAgent(context, layer);
  return [zoneOf(context, layer), layer.keyPair, hasScript ? userDataText(context, layer) : null];
}

export function waitMark(context: Context, layer: Layer): string | undefined {
  if (!hasAgent(context, layer) || !mayConnect(context, layer) || !context.dialect.capabilities.signals)
    return undefined;
  const { image, volume } = context.choices.servers[layer.flag] ?? {};
  return launchMark([...replacing(context, layer), volume ? image : null]);
}
