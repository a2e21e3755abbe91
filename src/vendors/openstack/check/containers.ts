import { at, type Problem } from '../../../basics/problem.ts';
import type { Container, Layer } from '../../../model/stack-model.ts';
import { addressProblems, egressProblems } from '../../shared/agents.ts';
import type { Context } from '../compile/context.ts';

/** Problems of a layer's container, and of its agents' connection to Almanac. */
export function containerProblems(context: Context, layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container) return [];
  return [
    ...addressProblems(context.baseUrl, at(path, 'container')),
    ...codeProblems(container, at(path, 'container/gitRepository')),
    ...storageProblems(context, container, at(path, 'container/storage')),
    ...egressProblems(context, layer, path),
  ];
}

/** Servers have no identity of their own with which an agent could read an object store. */
function codeProblems({ codeSource, gitRepository }: Container, path: string): Problem[] {
  if (codeSource !== 'object_store' || gitRepository === null) return [];
  const message =
    'Servers of OpenStack have no role with which they could read an object store. Use a git repository, or put the code into the image.';
  return [{ path, message }];
}

function storageProblems({ dialect }: Context, { storage }: Container, path: string): Problem[] {
  if (!storage || storage.kind === 'local') return [];
  const message = `${storage.kind} storage is not supported on ${dialect.label}: few clouds have shared file systems. Use local storage, or store files in an object store.`;
  return [{ path, message }];
}
