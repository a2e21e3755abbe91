import { resourceSuffix } from '../../../model/names.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { type Properties, ref } from '../document.ts';
import {
  isApplication,
  isEncrypted,
  type Listener,
  listenerProtocol,
  readHealthTarget,
  targetProtocol,
} from '../layout/listeners.ts';
import { layersNamed } from '../layout/placement.ts';
import * as names from '../names.ts';
import { groupId, openPort, openTo, securityGroup } from './borders.ts';
import type { Context, Entry } from './context.ts';
import { instanceNames } from './servers.ts';

const anywhere = '0.0.0.0/0';

/** Seconds a server that leaves may take to finish its requests. */
const drainSeconds = 60;

const encryption = 'ELBSecurityPolicy-TLS13-1-2-2021-06';

/** One of the listeners for each port of the servers: those for the same port hand on to the same targets. */
const listenersByTarget = ({ listeners }: LoadBalancer): Listener[] =>
  [
    ...new Map(listeners.toReversed().map((listener) => [listener.instancePort, listener])).values(),
  ].toReversed();

export const targetGroupNames = (flag: string, balancer: LoadBalancer): string[] =>
  listenersByTarget(balancer).map(({ instancePort }) => names.targetGroup(flag, instancePort));

/** What stands in front of a layer's servers. */
export function front(context: Context, layer: Layer): Entry[] {
  const { loadBalancer: balancer } = layer;
  if (!balancer) return [];
  return [
    balancerSecurityGroup(context, layer, balancer),
    loadBalancer(context, layer, balancer),
    ...listenersByTarget(balancer).map((listener) => targetGroup(layer, balancer, listener)),
    ...balancer.listeners.map((one) => listenerEntry(context, layer, balancer, one)),
  ];
}

function balancerSecurityGroup({ model }: Context, { flag }: Layer, asked: LoadBalancer): Entry {
  const from = asked.scheme === 'internal' ? model.networkCidr : anywhere;
  return [
    names.balancerSecurityGroup(flag),
    securityGroup(`Load balancer of layer ${resourceSuffix(flag)}`, {
      ingress: asked.listeners.map(({ port }) => openPort(port, from)),
      egress: [openTo({ protocol: 'all', fromPort: 0, toPort: 0, cidr: model.networkCidr })],
    }),
  ];
}

function loadBalancer({ model, balancers }: Context, layer: Layer, asked: LoadBalancer): Entry {
  const { flag } = layer;
  const guards = layersNamed(model, asked.securityGroupsOf, layer).map((guard) =>
    names.securityGroup(guard.flag),
  );
  const application = isApplication(asked);
  return [
    names.loadBalancer(flag),
    {
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      DependsOn: [names.publicRoute],
      Properties: {
        Type: application ? 'application' : 'network',
        Scheme: asked.scheme,
        Subnets: (balancers.subnetsOf.get(flag) ?? []).map(ref),
        SecurityGroups: [names.balancerSecurityGroup(flag), ...guards].map(groupId),
        // An application balancer always reaches the servers of all its zones; the other must be told.
        ...(application
          ? {}
          : { LoadBalancerAttributes: [setting('load_balancing.cross_zone.enabled', 'true')] }),
      },
    },
  ];
}

const setting = (Key: string, Value: string): Properties => ({ Key, Value });

/** A group's servers join by themselves. */
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
 * An application balancer cannot just try a connection: it asks for a page, and any answer that is no failure of the
 * server shows that it is there.
 */
function healthCheck(balancer: LoadBalancer): Properties {
  const { healthCheck: asked } = balancer;
  const target = readHealthTarget(asked.target) ?? { protocol: 'TCP', port: 80, path: null };
  const onlyConnects = target.path === null;
  const encrypts = target.protocol === 'SSL' || target.protocol === 'HTTPS';
  const common = {
    HealthCheckPort: String(target.port),
    HealthCheckIntervalSeconds: asked.intervalSeconds,
    HealthCheckTimeoutSeconds: asked.timeoutSeconds,
    HealthyThresholdCount: asked.healthyThreshold,
    UnhealthyThresholdCount: asked.unhealthyThreshold,
  };
  if (onlyConnects && !isApplication(balancer)) return { HealthCheckProtocol: 'TCP', ...common };
  return {
    HealthCheckProtocol: encrypts ? 'HTTPS' : 'HTTP',
    HealthCheckPath: target.path ?? '/',
    Matcher: { HttpCode: onlyConnects ? '200-499' : '200-399' },
    ...common,
  };
}

function listenerEntry({ choices }: Context, { flag }: Layer, balancer: LoadBalancer, one: Listener): Entry {
  const certificate = choices.certificates[one.certificateDomain ?? ''] ?? '';
  return [
    names.listener(flag, one.port),
    {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: ref(names.loadBalancer(flag)),
        Port: one.port,
        Protocol: listenerProtocol(balancer, one),
        ...(isEncrypted(one)
          ? { SslPolicy: encryption, Certificates: [{ CertificateArn: certificate }] }
          : {}),
        DefaultActions: [{ Type: 'forward', TargetGroupArn: ref(names.targetGroup(flag, one.instancePort)) }],
      },
    },
  ];
}
