import { at, type Problem } from '../../../basics/problem.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { hostLayers } from '../../shared/capacity.ts';
import type { CheckContext } from '../compile/context.ts';
import { isInObjectStore } from '../compile/identity.ts';
import { hasInternetRoute } from '../compile/internet-access.ts';
import { isReachable, isSecure } from '../compile/user-data.ts';
import { hasServers, securityGroupLayers } from '../layout/placement.ts';

/** Problems of a layer's container, and of its agents' connection to Almanac. */
export function containerProblems(checked: CheckContext, layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container) return [];
  return [
    ...addressProblems(checked.baseUrl, at(path, 'container')),
    ...codeProblems(container, at(path, 'container/gitRepository')),
    ...storageProblems(container, at(path, 'container/storage')),
    ...connectionProblems(checked, layer, path),
  ];
}

function addressProblems(baseUrl: string, path: string): Problem[] {
  if (!isReachable(baseUrl))
    return [
      {
        path,
        message: `Servers in the cloud cannot reach Almanac at ${baseUrl}. Set ALM_BASE_URL to an address they can reach.`,
      },
    ];
  if (isSecure(baseUrl)) return [];
  return [
    {
      path,
      message: `Servers in the cloud download their agent from ${baseUrl} without encryption, so it could be modified in transit. Set ALM_BASE_URL to an https address.`,
    },
  ];
}

/** The path becomes part of a policy, where wildcards would match other objects. */
function codeProblems(container: Container, path: string): Problem[] {
  if (!isInObjectStore(container) || !/[*?]/.test(container.gitRepository ?? '')) return [];
  const message = 'A path in the object store must not contain * or ?.';
  return [{ path, message }];
}

/**
 * Every stack has a separate network, and a network file system has mount targets in one network only, so servers cannot
 * mount a file system that existed before the stack.
 */
function storageProblems({ storage }: Container, path: string): Problem[] {
  if (!storage || storage.kind === 'local') return [];
  const message = `${storage.kind} storage is not supported on AWS yet, because every stack has a separate network. Use local storage, or store files in an object store.`;
  return [{ path, message }];
}

/** Agents must reach Almanac, package repositories and image registries. */
function connectionProblems({ model }: CheckContext, layer: Layer, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!hasServers(layer)) return problems;
  const isolated = hostLayers(model, layer).find((host) => !hasInternetRoute(host));
  if (isolated)
    problems.push({
      path: at('layers', model.layers.indexOf(isolated), 'subnet/assignPublicIp'),
      message: `The agents of layer ${layer.flag} cannot reach Almanac. Assign public addresses to the servers, or make the subnet private.`,
    });
  const rules = securityGroupLayers(model, layer).flatMap(({ securityGroup }) => securityGroup.egress);
  if (!rules.some(({ protocol }) => protocol === 'tcp' || protocol === 'all'))
    problems.push({
      path: at(path, 'securityGroup/egress'),
      message: 'The agents cannot reach Almanac: no egress rule allows tcp. Add one.',
    });
  return problems;
}
