import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { groupOwner, maxServers, namedLayers } from '../../shared/layers.ts';
import { type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { drainSeconds } from '../catalog.ts';
import { attribute, type Properties, ref } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

/** The load balancer of a layer, its listeners, and its servers unless a group adds them. All kinds are a CLB. */
export function loadBalancing(context: Context, layer: Layer): Entry[] {
  const { loadBalancer: balancer } = layer;
  if (!balancer) return [];
  return [
    loadBalancer(context, layer, balancer),
    ...balancer.listeners.map((listener) => listenerEntry({ context, layer, balancer, listener })),
    ...backendServers(context, layer),
  ];
}

/** The layer in whose VSwitch an internal load balancer is: the first of those it names. */
export const balancerHost = ({ model }: Pick<Context, 'model'>, layer: Layer): Layer =>
  namedLayers(model, layer.loadBalancer?.subnetsOf ?? [], layer)[0] ?? layer;

function loadBalancer(context: Context, layer: Layer, { scheme }: LoadBalancer): Entry {
  const place: Properties =
    scheme === 'internal'
      ? { AddressType: 'intranet', VSwitchId: ref(names.subnet(balancerHost(context, layer).flag)) }
      : { AddressType: 'internet', InternetChargeType: 'paybytraffic' };
  return [
    names.loadBalancer(layer.flag),
    {
      Type: 'ALIYUN::SLB::LoadBalancer',
      Properties: { ...place, VpcId: ref(names.network), LoadBalancerSpec: 'slb.s1.small' },
    },
  ];
}

interface ListenerInput {
  context: Context;
  layer: Layer;
  balancer: LoadBalancer;
  listener: Listener;
}

function listenerEntry({ context, layer: { flag }, balancer, listener }: ListenerInput): Entry {
  const { port, protocol, instancePort, certificateDomain } = listener;
  return [
    names.listener(flag, port),
    {
      Type: 'ALIYUN::SLB::Listener',
      Properties: {
        LoadBalancerId: ref(names.loadBalancer(flag)),
        ListenerPort: port,
        Protocol: protocol,
        BackendServerPort: instancePort,
        Bandwidth: -1,
        Scheduler: 'wrr',
        HealthCheck: healthCheck(balancer, protocol),
        ...(protocol === 'https'
          ? { ServerCertificateId: context.choices.certificates[certificateDomain ?? ''] ?? '' }
          : {}),
        ...(protocol === 'tcp' ? { ConnectionDrain: 'on', ConnectionDrainTimeout: drainSeconds } : {}),
      },
    },
  ];
}

/** A listener for HTTP cannot only connect: it requests a page, and accepts any response that is not a server error. */
function healthCheck({ healthCheck: check }: LoadBalancer, protocol: Listener['protocol']): Properties {
  const target = readHealthTarget(check.target) ?? { port: 80, path: null };
  const onlyConnects = target.path === null;
  const common = {
    Switch: 'on',
    Port: target.port,
    Interval: check.intervalSeconds,
    Timeout: check.timeoutSeconds,
    HealthyThreshold: check.healthyThreshold,
    UnhealthyThreshold: check.unhealthyThreshold,
  };
  if (onlyConnects && protocol === 'tcp') return { HealthCheckType: 'tcp', ...common };
  return {
    ...(protocol === 'tcp' ? { HealthCheckType: 'http' } : {}),
    URI: target.path ?? '/',
    HttpCode: onlyConnects ? 'http_2xx,http_3xx,http_4xx' : 'http_2xx,http_3xx',
    ...common,
  };
}

const backendServers = ({ model }: Context, layer: Layer): Entry[] => {
  const owner = groupOwner(model, layer);
  if (owner.capacity.kind !== 'fixed' || maxServers(owner) === 0) return [];
  return [
    [
      names.backendServers(layer.flag),
      {
        Type: 'ALIYUN::SLB::BackendServerAttachment',
        Properties: {
          LoadBalancerId: ref(names.loadBalancer(layer.flag)),
          BackendServerList: attribute(names.instances(owner.flag), 'InstanceIds'),
        },
      },
    ],
  ];
};
