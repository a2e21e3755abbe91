import type { Static } from 'typebox';
import { at } from '../../basics/problem.ts';
import type { LoadBalancer } from '../../model/stack-model.ts';
import { defaultHealthCheck, defaultListener } from '../defaults.ts';
import { below, type Location } from '../report.ts';
import { knownFlags, type LayerContext } from './capacity.ts';
import { readReferences } from './references.ts';
import type { healthCheck, listener, loadBalancer } from './schema-provision.ts';

type Listener = LoadBalancer['listeners'][number];

const kinds = {
  classic: 'classic',
  application: 'application',
  networking: 'network',
  network: 'network',
} as const;
const instanceProtocols = { http: 'http', https: 'http', tcp: 'tcp', ssl: 'tcp' } as const;

const compileListener = (given: Static<typeof listener>, { path, report }: Location): Listener => {
  const isEncrypted = given.protocol === 'https' || given.protocol === 'ssl';
  if (isEncrypted && given.cert_domain === undefined)
    report(
      at(path, 'cert_domain'),
      `is required for protocol ${given.protocol}: the domain of the certificate.`,
    );
  return {
    port: given.load_balancer_port,
    protocol: given.protocol,
    instancePort: given.instance_port,
    instanceProtocol: given.instance_protocol ?? instanceProtocols[given.protocol],
    certificateDomain: given.cert_domain ?? null,
  };
};

const compileListeners = (given: Static<typeof loadBalancer>, location: Location): readonly Listener[] => {
  const { path, report } = location;
  const listeners = given.listeners?.map((one, index) => compileListener(one, below(location, index)));
  const seen = new Set<number>();
  for (const [index, { port }] of (listeners ?? []).entries()) {
    if (seen.has(port))
      report(at(path, index, 'load_balancer_port'), `is a duplicate: another listener uses port ${port}.`);
    seen.add(port);
  }
  return listeners ?? [defaultListener];
};

/** `http:80/Path` becomes `HTTP:80/Path`: only the protocol is case-insensitive. */
const normalizeTarget = (target: string): string =>
  target.replace(/^[a-z]+/i, (protocol) => protocol.toUpperCase());

const compileHealthCheck = (
  given: Static<typeof healthCheck>,
  instancePort: number,
  { path, report }: Location,
): LoadBalancer['healthCheck'] => {
  const { intervalSeconds, timeoutSeconds, healthyThreshold, unhealthyThreshold } = defaultHealthCheck;
  const { interval = intervalSeconds, timeout = Math.min(timeoutSeconds, Math.max(1, interval - 1)) } = given;
  if (timeout >= interval) report(at(path, 'timeout'), `must be less than interval (${interval}).`);
  return {
    target: normalizeTarget(given.target ?? `TCP:${instancePort}`),
    intervalSeconds: interval,
    timeoutSeconds: timeout,
    healthyThreshold: given.healthy_threshold ?? healthyThreshold,
    unhealthyThreshold: given.unhealthy_threshold ?? unhealthyThreshold,
  };
};

const layersOf = (
  given: Static<typeof loadBalancer>,
  member: 'subnets' | 'security_groups',
  context: LayerContext,
): readonly string[] => {
  const text = given[member];
  if (text === undefined) return [context.layer.flag];
  const path = at(context.path, 'load_balancer', member);
  const kind = member === 'subnets' ? 'subnet' : 'security_group';
  return readReferences(text, kind, { ...context, path, knownFlags: knownFlags(context) });
};

/** A web group without a load balancer would not be reachable as one, so it gets the default one. */
const defaultFor = ({ layer }: LayerContext): Static<typeof loadBalancer> | null =>
  layer.role === 'web' && typeof layer.provision?.auto_scaling === 'object' ? {} : null;

export const compileLoadBalancer = (context: LayerContext): LoadBalancer | null => {
  const given = context.layer.provision?.load_balancer ?? defaultFor(context);
  if (!given) return null;
  const location = below(context, 'load_balancer');
  const listeners = compileListeners(given, below(location, 'listeners'));
  const instancePort = listeners[0]?.instancePort ?? 80;
  return {
    kind: kinds[given.lb_type ?? 'classic'],
    scheme: given.scheme ?? 'internet-facing',
    subnetsOf: layersOf(given, 'subnets', context),
    securityGroupsOf: layersOf(given, 'security_groups', context),
    listeners,
    healthCheck: compileHealthCheck(given.health_check ?? {}, instancePort, below(location, 'health_check')),
  };
};
