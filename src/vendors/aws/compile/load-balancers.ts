import { resourceSuffix } from '../../../model/names.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { namedLayers } from '../../shared/layers.ts';
import { isEncrypted, type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { type Properties, ref } from '../document.ts';
import { instanceNames } from '../layout/disks.ts';
import { isApplication, listenerProtocol, targetProtocol } from '../layout/listeners.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';
import { groupId, openPort, openTo, securityGroup } from './traffic-rules.ts';

const anywhere = '0.0.0.0/0';

/** How long a deregistered server may take to finish its requests. */
const drainSeconds = 60;

const tlsPolicy = 'ELBSecurityPolicy-TLS13-1-2-2021-06';

/** One listener for each server port: listeners for the same port share a target group. */
const listenersByTarget = ({ listeners }: LoadBalancer): Listener[] =>
  [
    ...new Map(listeners.toReversed().map((listener) => [listener.instancePort, listener])).values(),
  ].toReversed();

export const targetGroupNames = (flag: string, balancer: LoadBalancer): string[] =>
  listenersByTarget(balancer).map(({ instancePort }) => names.targetGroup(flag, instancePort));

/** The load balancer of a layer with its security group, target groups and listeners. */
export function loadBalancing(context: Context, layer: Layer): Entry[] {
  const { loadBalancer: balancer } = layer;
  if (!balancer) return [];
  return [
    balancerSecurityGroup(context, layer, balancer),
    loadBalancer(context, layer, balancer),
    ...listenersByTarget(balancer).map((listener) => targetGroup(layer, balancer, listener)),
    ...balancer.listeners.map((listener) => listenerEntry({ context, layer, balancer, listener })),
  ];
}

function balancerSecurityGroup({ model }: Context, { flag }: Layer, balancer: LoadBalancer): Entry {
  const source = balancer.scheme === 'internal' ? model.networkCidr : anywhere;
  return [
    names.balancerSecurityGroup(flag),
    securityGroup(`Load balancer of layer ${resourceSuffix(flag)}`, {
      ingress: balancer.listeners.map(({ port }) => openPort(port, source)),
      egress: [openTo({ protocol: 'all', fromPort: 0, toPort: 0, cidr: model.networkCidr })],
    }),
  ];
}

function loadBalancer({ model, balancers }: Context, layer: Layer, balancer: LoadBalancer): Entry {
  const { flag } = layer;
  const layerGroups = namedLayers(model, balancer.securityGroupsOf, layer).map((named) =>
    names.securityGroup(named.flag),
  );
  const application = isApplication(balancer);
  return [
    names.loadBalancer(flag),
    {
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      DependsOn: [names.publicRoute],
      Properties: {
        Type: application ? 'application' : 'network',
        Scheme: balancer.scheme,
        Subnets: (balancers.subnetsOf.get(flag) ?? []).map(ref),
        SecurityGroups: [names.balancerSecurityGroup(flag), ...layerGroups].map(groupId),
        // Always enabled on application load balancers.
        ...(application
          ? {}
          : { LoadBalancerAttributes: [setting('load_balancing.cross_zone.enabled', 'true')] }),
      },
    },
  ];
}

const setting = (Key: string, Value: string): Properties => ({ Key, Value });

/** Servers of a group are registered by the group. */
function targetGroup(layer: Layer, balancer: LoadBalancer, listener: Listener): Entry {
  const targets = instanceNames(layer);
  return [
    names.targetGroup(layer.flag, listener.instancePort),
    {
      Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
      Properties: {
        VpcId: ref(names.network),
        Port: listener.instancePort,
        Protocol: targetProtocol(balancer, listener),
        TargetType: 'instance',
        ...healthCheck(balancer),
        TargetGroupAttributes: [setting('deregistration_delay.timeout_seconds', String(drainSeconds))],
        ...(targets.length > 0 ? { Targets: targets.map((id) => ({ Id: ref(id) })) } : {}),
      },
    },
  ];
}

/**
 * An application load balancer does not support TCP checks: it requests a page instead, and accepts any response that is
 * not a server error.
 */
function healthCheck(balancer: LoadBalancer): Properties {
  const { healthCheck: check } = balancer;
  const target = readHealthTarget(check.target) ?? { protocol: 'TCP', port: 80, path: null };
  const onlyConnects = target.path === null;
  const encrypts = target.protocol === 'SSL' || target.protocol === 'HTTPS';
  const common = {
    HealthCheckPort: String(target.port),
    HealthCheckIntervalSeconds: check.intervalSeconds,
    HealthCheckTimeoutSeconds: check.timeoutSeconds,
    HealthyThresholdCount: check.healthyThreshold,
    UnhealthyThresholdCount: check.unhealthyThreshold,
  };
  if (onlyConnects && !isApplication(balancer)) return { HealthCheckProtocol: 'TCP', ...common };
  return {
    HealthCheckProtocol: encrypts ? 'HTTPS' : 'HTTP',
    HealthCheckPath: target.path ?? '/',
    Matcher: { HttpCode: onlyConnects ? '200-499' : '200-399' },
    ...common,
  };
}

interface ListenerInput {
  context: Context;
  layer: Layer;
  balancer: LoadBalancer;
  listener: Listener;
}

function listenerEntry({ context, layer: { flag }, balancer, listener }: ListenerInput): Entry {
  const { port, instancePort, certificateDomain } = listener;
  const certificate = context.choices.certificates[certificateDomain ?? ''] ?? '';
  return [
    names.listener(flag, port),
    {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: ref(names.loadBalancer(flag)),
        Port: port,
        Protocol: listenerProtocol(balancer, listener),
        ...(isEncrypted(listener)
          ? { SslPolicy: tlsPolicy, Certificates: [{ CertificateArn: certificate }] }
          : {}),
        DefaultActions: [{ Type: 'forward', TargetGroupArn: ref(names.targetGroup(flag, instancePort)) }],
      },
    },
  ];
}
