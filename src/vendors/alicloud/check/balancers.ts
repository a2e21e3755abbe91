import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { layerReferenceProblems } from '../../shared/checks.ts';
import { isEncrypted, type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { listenerPortProblems } from '../../shared/port-checks.ts';
import type { Context } from '../compile/context.ts';

export function balancerProblems(context: Context, layer: Layer, path: string): Problem[] {
  const { loadBalancer: balancer } = layer;
  if (!balancer) return [];
  const { listeners } = balancer;
  return [
    ...layerReferenceProblems(context.model, path, balancer),
    ...securityGroupProblems(layer, balancer, at(path, 'securityGroupsOf')),
    ...(listeners.length === 0
      ? [{ path: at(path, 'listeners'), message: 'At least one listener is required.' }]
      : []),
    ...listeners.flatMap((_, index) => listenerPortProblems(balancer, index, at(path, 'listeners', index))),
    ...listeners.flatMap((listener, index) =>
      protocolProblems(context, listener, at(path, 'listeners', index)),
    ),
    ...healthProblems(balancer, at(path, 'healthCheck')),
  ];
}

/** That of its own layer only repeats what servers accept. One of another layer means something. */
const securityGroupProblems = (
  { flag }: Layer,
  { securityGroupsOf }: LoadBalancer,
  path: string,
): Problem[] => {
  const others = securityGroupsOf.filter((other) => other !== flag);
  if (others.length === 0) return [];
  const message = `Load balancers of Alibaba Cloud have no security groups, here that of ${others.join(', ')}. Leave them out, and write the rules in the security group of the servers.`;
  return [{ path, message }];
};

const isHttp = (protocol: string): boolean => protocol === 'http' || protocol === 'https';

function protocolProblems({ choices }: Context, listener: Listener, path: string): Problem[] {
  const { protocol, instanceProtocol, certificateDomain: domain } = listener;
  const problem = (member: string, message: string): Problem[] => [{ path: at(path, member), message }];
  if (protocol === 'ssl')
    return problem(
      'protocol',
      'Load balancers of Alibaba Cloud decrypt HTTP only, not ssl. Use https, or tcp and let the servers decrypt.',
    );
  const encryptsAgain = isHttp(protocol) && (instanceProtocol === 'https' || instanceProtocol === 'ssl');
  if (encryptsAgain)
    return problem(
      'instanceProtocol',
      `Load balancers of Alibaba Cloud send plain HTTP to servers, not ${instanceProtocol}. Use http here, or tcp for the listener and let the servers decrypt.`,
    );
  if (!isEncrypted(listener)) return [];
  if (domain === null)
    return problem('certificateDomain', `A certificate domain is required for ${protocol} listeners.`);
  return choices.certificates[domain] === undefined
    ? problem('certificateDomain', `The account has no certificate for ${domain}. Upload one to SLB.`)
    : [];
}

type HealthCheck = LoadBalancer['healthCheck'];

const limits: readonly [member: keyof HealthCheck, min: number, max: number][] = [
  ['intervalSeconds', 1, 50],
  ['healthyThreshold', 2, 10],
  ['unhealthyThreshold', 2, 10],
];

function healthProblems({ healthCheck }: LoadBalancer, path: string): Problem[] {
  const problems = limits.flatMap(([member, min, max]): Problem[] => {
    const value = Number(healthCheck[member]);
    if (value >= min && value <= max) return [];
    const message = `Must be from ${min} to ${max} on Alibaba Cloud, not ${value}.`;
    return [{ path: at(path, member), message }];
  });
  const target = readHealthTarget(healthCheck.target);
  const refuse = (message: string): Problem[] => [...problems, { path: at(path, 'target'), message }];
  if (!target) return refuse(`Invalid target ${healthCheck.target}. Use the form HTTP:80/path or TCP:80.`);
  return target.protocol === 'TCP' || target.protocol === 'HTTP'
    ? problems
    : refuse(
        `Load balancers of Alibaba Cloud check by TCP or HTTP, not ${target.protocol}. Use TCP:${target.port}.`,
      );
}
