import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { type HealthTarget, isEncrypted, type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { attribute, type Properties, resource } from '../document.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { labelled } from './server-resources.ts';
import { balancerHost } from './traffic-rules.ts';

/** The load balancer of a layer with its address, and a listener, a pool and a health monitor for each port. */
export function loadBalancing(context: Context, layer: Layer): Entry[] {
  const { loadBalancer: balancer } = layer;
  if (!balancer) return [];
  return [
    loadBalancer(context, layer),
    ...publicAddress(context, layer, balancer),
    ...balancer.listeners.flatMap((listener) => [
      listenerEntry(context, layer, listener),
      poolEntry(layer, balancer, listener),
      healthMonitor(layer, balancer, listener),
    ]),
  ];
}

const loadBalancer = (context: Context, layer: Layer): Entry => [
  names.loadBalancer(layer.flag),
  {
    type: 'OS::Octavia::LoadBalancer',
    properties: {
      name: names.serverName(context.stackId, layer.flag),
      // What is left of a stack is found by it.
      description: context.stackId,
      vip_subnet: resource(names.subnet(balancerHost(context, layer).flag)),
    },
  },
];

const publicAddress = (context: Context, layer: Layer, { scheme }: LoadBalancer): Entry[] =>
  scheme === 'internal'
    ? []
    : [
        [
          names.balancerAddress(layer.flag),
          {
            type: 'OS::Neutron::FloatingIP',
            ...dependsOn([names.routerInterface(balancerHost(context, layer).flag)]),
            properties: {
              [context.dialect.members.floatingNetwork]: context.choices.externalNetwork,
              port_id: attribute(names.loadBalancer(layer.flag), 'vip_port_id'),
              ...labelled(context.dialect, context.stackId),
            },
          },
        ],
      ];

/** A network load balancer does not read what it passes on. */
const isHttp = ({ kind }: LoadBalancer, { protocol }: Listener): boolean =>
  protocol === 'https' || (protocol === 'http' && kind !== 'network');

function listenerEntry(
  { choices }: Context,
  { flag, loadBalancer: balancer }: Layer,
  listener: Listener,
): Entry {
  const plain = balancer && isHttp(balancer, listener) ? 'HTTP' : 'TCP';
  const certificate = choices.certificates[listener.certificateDomain ?? ''] ?? '';
  return [
    names.listener(flag, listener.port),
    {
      type: 'OS::Octavia::Listener',
      properties: {
        loadbalancer: resource(names.loadBalancer(flag)),
        protocol: isEncrypted(listener) ? 'TERMINATED_HTTPS' : plain,
        protocol_port: listener.port,
        ...(isEncrypted(listener) ? { default_tls_container_ref: certificate } : {}),
      },
    },
  ];
}

/** A pool for each listener: a pool belongs to one. TCP is passed on as it is, encrypted or not. */
function poolEntry({ flag }: Layer, balancer: LoadBalancer, listener: Listener): Entry {
  const readsHttp = isHttp(balancer, listener);
  const encrypts = listener.instanceProtocol === 'https' || listener.instanceProtocol === 'ssl';
  return [
    names.pool(flag, listener.port),
    {
      type: 'OS::Octavia::Pool',
      properties: {
        listener: resource(names.listener(flag, listener.port)),
        lb_algorithm: 'ROUND_ROBIN',
        protocol: readsHttp ? 'HTTP' : 'TCP',
        ...(readsHttp && encrypts ? { tls_enabled: true } : {}),
      },
    },
  ];
}

const requestOf = ({ protocol, path }: HealthTarget): Properties =>
  path === null
    ? { type: 'TCP' }
    : { type: protocol === 'HTTPS' ? 'HTTPS' : 'HTTP', url_path: path, expected_codes: '200-399' };

/** Heat has no count of failures after which a server is left out. Members name the port. */
function healthMonitor({ flag }: Layer, { healthCheck }: LoadBalancer, { port }: Listener): Entry {
  const target = readHealthTarget(healthCheck.target) ?? { protocol: 'TCP', port, path: null };
  return [
    names.healthMonitor(flag, port),
    {
      type: 'OS::Octavia::HealthMonitor',
      properties: {
        pool: resource(names.pool(flag, port)),
        ...requestOf(target),
        delay: healthCheck.intervalSeconds,
        timeout: healthCheck.timeoutSeconds,
        max_retries: healthCheck.healthyThreshold,
      },
    },
  ];
}
