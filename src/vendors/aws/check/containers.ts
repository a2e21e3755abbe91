import { at, type Problem } from '../../../basics/problem.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { addressProblems, egressProblems } from '../../shared/agents.ts';
import { hostLayers } from '../../shared/capacity.ts';
import { hasServers } from '../../shared/layers.ts';
import type { CheckContext } from '../compile/context.ts';
import { isInObjectStore } from '../compile/identity.ts';
import { hasInternetRoute } from '../compile/internet-access.ts';

/** Problems of a layer's container, and of its agents' connection to Almanac. */
export function containerProblems(checked: CheckContext, layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container) return [];
  return [
    ...addressProblems(checked.baseUrl, at(path, 'container')),
    ...codeProblems(container, at(path, 'container/gitRepository')),
    ...storageProblems(container, at(path, 'container/storage')),
    ...routeProblems(checked, layer),
    ...egressProblems(checked, layer, path),
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

/** Servers in a public subnet reach the internet only with public addresses. */
function routeProblems({ model }: CheckContext, layer: Layer): Problem[] {
  const isolated = hasServers(layer) && hostLayers(model, layer).find((host) => !hasInternetRoute(host));
  if (!isolated) return [];
  const path = at('layers', model.layers.indexOf(isolated), 'subnet/assignPublicIp');
  const message = `The agents of layer ${layer.flag} cannot reach Almanac. Assign public addresses to the servers, or make the subnet private.`;
  return [{ path, message }];
}
