import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { layerReferenceProblems } from '../../shared/checks.ts';
import { isEncrypted, type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { invalidPort } from '../../shared/port-checks.ts';
import type { CheckContext } from '../compile/context.ts';
import { targetProtocol } from '../layout/listeners.ts';

/** Problems of a load balancer, except those of its subnets. */
export function balancerProblems(checked: CheckContext, { loadBalancer }: Layer, path: string): Problem[] {
  if (!loadBalancer) return [];
  const { listeners } = loadBalancer;
  return [
    ...layerReferenceProblems(checked.model, path, loadBalancer),
    ...(listeners.length === 0
      ? [{ path: at(path, 'listeners'), message: 'At least one listener is required.' }]
      : []),
    ...listeners.flatMap((listener, index) =>
      listenerProblems({ checked, balancer: loadBalancer, listener, path: at(path, 'listeners', index) }),
    ),
    ...healthProblems(loadBalancer, at(path, 'healthCheck')),
  ];
}

interface CheckedListener {
  checked: CheckContext;
  balancer: LoadBalancer;
  listener: Listener;
  path: string;
}

function listenerProblems({ checked, balancer, listener, path }: CheckedListener): Problem[] {
  const problem = (member: string, message: string): Problem => ({ path: at(path, member), message });
  const { port, instancePort, certificateDomain: domain } = listener;
  const problems: Problem[] = [];
  if (port === 0) problems.push(problem('port', invalidPort));
  if (instancePort === 0) problems.push(problem('instancePort', invalidPort));
  if (isEncrypted(listener) && domain === null)
    problems.push(
      problem('certificateDomain', `A certificate domain is required for ${listener.protocol} listeners.`),
    );
  if (isEncrypted(listener) && domain !== null && !checked.choices.certificates[domain])
    problems.push(problem('certificateDomain', `The account has no issued certificate for ${domain}.`));
  const first = balancer.listeners.find((other) => other.instancePort === instancePort) ?? listener;
  if (targetProtocol(balancer, first) !== targetProtocol(balancer, listener))
    problems.push(
      problem(
        'instanceProtocol',
        `Another listener uses a different protocol for server port ${instancePort}. Use the same one.`,
      ),
    );
  return problems;
}

type HealthCheck = LoadBalancer['healthCheck'];

const limits: readonly [member: keyof HealthCheck, min: number, max: number][] = [
  ['intervalSeconds', 5, 300],
  ['timeoutSeconds', 2, 120],
  ['healthyThreshold', 2, 10],
  ['unhealthyThreshold', 2, 10],
];

function healthProblems({ healthCheck }: LoadBalancer, path: string): Problem[] {
  const problems = limits.flatMap(([member, min, max]): Problem[] => {
    const value = Number(healthCheck[member]);
    if (value >= min && value <= max) return [];
    return [{ path: at(path, member), message: `Must be between ${min} and ${max} on AWS, not ${value}.` }];
  });
  if (healthCheck.timeoutSeconds >= healthCheck.intervalSeconds)
    problems.push({
      path: at(path, 'timeoutSeconds'),
      message: `Must be less than the interval, ${healthCheck.intervalSeconds}.`,
    });
  if (!readHealthTarget(healthCheck.target))
    problems.push({
      path: at(path, 'target'),
      message: `Invalid target ${healthCheck.target}. Use the form HTTP:80/path or TCP:80.`,
    });
  return problems;
}
