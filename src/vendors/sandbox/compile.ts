import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { problemsOf } from './check.ts';
import { balancerResources } from './compile/balancers.ts';
import { layerNetwork, stackNetwork } from './compile/network.ts';
import { outputsOf } from './compile/outputs.ts';
import { serverResources } from './compile/servers.ts';
import { cacheResources, databaseResources } from './compile/services.ts';
import type { DocumentResource, SandboxDocument } from './document.ts';

export function compile(model: StackModel, stackId: string): Outcome<SandboxDocument> {
  const problems = problemsOf(model);
  if (problems.length > 0) return reject(problems);
  const resources = [
    ...stackNetwork(model),
    ...model.layers.flatMap((layer) => layerNetwork(model, layer, stackId)),
    ...model.layers.flatMap((layer) => serverResources(model, layer, stackId)),
    ...model.layers.flatMap((layer) => balancerResources(model, layer)),
    ...model.databases.flatMap((database) => databaseResources(model, database)),
    ...model.caches.flatMap((cache) => cacheResources(model, cache)),
  ];
  return succeed({ region: model.region, resources: inOrder(resources), outputs: outputsOf(model) });
}

/** Sorts each resource after its dependencies, otherwise as given. */
function inOrder(resources: readonly DocumentResource[]): DocumentResource[] {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const ordered = new Set<DocumentResource>();
  const add = (resource: DocumentResource): void => {
    if (ordered.has(resource)) return;
    for (const name of resource.dependsOn) {
      const dependency = byName.get(name);
      if (dependency) add(dependency);
    }
    ordered.add(resource);
  };
  for (const resource of resources) add(resource);
  return [...ordered];
}
