import { at, type Problem } from '../../../basics/problem.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { addressProblems, egressProblems } from '../../shared/agents.ts';
import { hasServers } from '../../shared/layers.ts';
import type { Context } from '../compile/context.ts';
import { hasRoute } from '../compile/user-data.ts';

/** Problems of a layer's container, and of its agents' connection to Almanac. */
export function containerProblems(context: Context, layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container) return [];
  return [
    ...addressProblems(context.baseUrl, at(path, 'container')),
    ...codeProblems(container, at(path, 'container/gitRepository')),
    ...storageProblems(container, at(path, 'container/storage')),
    ...egressProblems(context, layer, path),
    ...routeProblems(context, layer, path),
  ];
}

/** A web address needs no key. */
function codeProblems({ codeSource, gitRepository }: Container, path: string): Problem[] {
  if (codeSource !== 'object_store' || gitRepository === null || /^https?:/.test(gitRepository)) return [];
  const message =
    'Agents cannot read the object store of Alibaba Cloud (OSS) yet. Use a git repository or a web address, or put the code into the image.';
  return [{ path, message }];
}

function storageProblems({ storage }: Container, path: string): Problem[] {
  if (!storage || storage.kind === 'local') return [];
  const message = `${storage.kind} storage is a service of AWS. Use local storage, or store files in a database.`;
  return [{ path, message }];
}

function routeProblems(context: Context, layer: Layer, path: string): Problem[] {
  if (!hasServers(layer) || hasRoute(context, layer)) return [];
  const message =
    'The agents cannot reach Almanac: their servers are in a public subnet without public addresses. Assign them, or make the subnet private.';
  return [{ path: at(path, 'subnet/assignPublicIp'), message }];
}
