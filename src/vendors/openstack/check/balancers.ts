import { at, type Problem } from '../../../basics/problem.ts';
import type { Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { layerReferenceProblems } from '../../shared/checks.ts';
import { groupOwner } from '../../shared/layers.ts';
import { isEncrypted, type Listener, readHealthTarget } from '../../shared/listeners.ts';
import { listenerPortProblems } from '../../shared/port-checks.ts';
import type { Context } from '../compile/context.ts';

export function balancerProblems(context: Context, layer: Layer, path: string): Problem[] {
  const { loadBalancer } = layer;
  if (!loadBalancer) return [];
  const { listeners } = loadBalancer;
  return [
    ...layerReferenceProblems(context.model, path, loadBalancer),
    ...serverProblems(context, layer, path),
    ...(listeners.length === 0
      ? [{ path: at(path, 'listeners'), message: 'At least one listener is required.' }]
      : []),
    ...listeners.flatMap((_, index) =>
      listenerPortProblems(loadBalancer, index, at(path, 'listeners', index)),
    ),
    ...listeners.flatMap((listener, index) =>
      encryptionProblems(context, listener, at(path, 'listeners', index)),
    ),
    ...healthProblems(loadBalancer, at(path, 'healthCheck')),
  ];
}

/** The load balancers of K5 know groups only. */
const serverProblems = ({ model, dialect }: Context, layer: Layer, path: string): Problem[] =>
  !dialect.ownServices || groupOwner(model, layer).capacity.kind === 'group'
    ? []
    : [
        {
          path,
          message: `On ${dialect.label}, a load balancer needs an autoscaling group. Use one, with the same minimum and maximum for a fixed size.`,
        },
      ];

function encryptionProblems({ choices, dialect }: Context, listener: Listener, path: string): Problem[] {
  const { certificateDomain: domain, protocol } = listener;
  if (!isEncrypted(listener)) return [];
  if (dialect.ownServices || protocol === 'ssl')
    return [
      {
        path: at(path, 'protocol'),
        message: `Almanac cannot end ${protocol} at a load balancer of ${dialect.label}. Use tcp, and let the servers decrypt.`,
      },
    ];
  if (domain === null)
    return [
      {
        path: at(path, 'certificateDomain'),
        message: `A certificate domain is required for ${protocol} listeners.`,
      },
    ];
  if (choices.certificates[domain] !== undefined) return [];
  const message = `The key manager of the project has no certificate named ${domain}. Store one there under this name.`;
  return [{ path: at(path, 'certificateDomain'), message }];
}

type HealthCheck = LoadBalancer['healthCheck'];

const maxThreshold = 10;

function healthProblems({ healthCheck }: { healthCheck: HealthCheck }, path: string): Problem[] {
  const { healthyThreshold, timeoutSeconds, intervalSeconds, target } = healthCheck;
  const problems: Problem[] = [];
  if (healthyThreshold > maxThreshold)
    problems.push({
      path: at(path, 'healthyThreshold'),
      message: `Must be at most ${maxThreshold} on OpenStack, not ${healthyThreshold}.`,
    });
  if (timeoutSeconds >= intervalSeconds)
    problems.push({
      path: at(path, 'timeoutSeconds'),
      message: `Must be less than the interval, ${intervalSeconds}.`,
    });
  if (!readHealthTarget(target))
    problems.push({
      path: at(path, 'target'),
      message: `Invalid target ${target}. Use the form HTTP:80/path or TCP:80.`,
    });
  return problems;
}
