import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import type { Checked } from '../compile/context.ts';
import { isEncrypted, type Listener, readHealthTarget, targetProtocol } from '../layout/listeners.ts';
import { unknownFlags } from './capacity.ts';

/** What is wrong with a load balancer, apart from where it stands. */
export function balancerProblems(checked: Checked, { loadBalancer }: Layer, path: string): Problem[] {
  if (!loadBalancer) return [];
  const { subnetsOf, securityGroupsOf, listeners } = loadBalancer;
  return [
    ...unknownFlags(checked.model, at(path, 'subnetsOf'), subnetsOf),
    ...unknownFlags(checked.model, at(path, 'securityGroupsOf'), securityGroupsOf),
    ...(listeners.length === 0
      ? [{ path: at(path, 'listeners'), message: 'It listens on no port. Give it a listener.' }]
      : []),
    ...listeners.flatMap((listener, index) =>
      listenerProblems(checked, loadBalancer, listener, at(path, 'listeners', index)),
    ),
    ...healthProblems(loadBalancer, at(path, 'healthCheck')),
  ];
}

function listenerProblems(
  { choices }: Checked,
  balancer: LoadBalancer,
  listener: Listener,
  path: string,
): Problem[] {
  const problem = (member: string, message: string): Problem => ({ path: at(path, member), message });
  const { port, instancePort, certificateDomain: domain } = listener;
  const problems: Problem[] = [];
  if (port === 0) problems.push(problem('port', 'Ports go from 1 to 65535.'));
  if (instancePort === 0) problems.push(problem('instancePort', 'Ports go from 1 to 65535.'));
  if (isEncrypted(listener) && domain === null)
    problems.push(
      problem('certificateDomain', `A ${listener.protocol} listener needs the domain of its certificate.`),
    );
  if (isEncrypted(listener) && domain !== null && !choices.certificates[domain])
    problems.push(problem('certificateDomain', `The account has no issued certificate for ${domain}.`));
  const first = balancer.listeners.find((other) => other.instancePort === instancePort) ?? listener;
  if (targetProtocol(balancer, first) !== targetProtocol(balancer, listener))
    problems.push(
      problem(
        'instanceProtocol',
        `Another listener speaks otherwise to port ${instancePort} of the servers.`,
      ),
    );
  return problems;
}

type HealthCheck = LoadBalancer['healthCheck'];

const limits: readonly [member: keyof HealthCheck, least: number, most: number][] = [
  ['intervalSeconds', 5, 300],
  ['timeoutSeconds', 2, 120],
  ['healthyThreshold', 2, 10],
  ['unhealthyThreshold', 2, 10],
];

function healthProblems({ healthCheck }: LoadBalancer, path: string): Problem[] {
  const problems = limits.flatMap(([member, least, most]): Problem[] => {
    const value = Number(healthCheck[member]);
    if (value >= least && value <= most) return [];
    return [{ path: at(path, member), message: `AWS takes ${least} to ${most}, not ${value}.` }];
  });
  if (healthCheck.timeoutSeconds >= healthCheck.intervalSeconds)
    problems.push({
      path: at(path, 'timeoutSeconds'),
      message: `It must be less than the interval, ${healthCheck.intervalSeconds}.`,
    });
  if (!readHealthTarget(healthCheck.target))
    problems.push({
      path: at(path, 'target'),
      message: `${healthCheck.target} is not a target such as HTTP:80/path or TCP:80.`,
    });
  return problems;
}
