import { posix } from 'node:path';
import { at, type Problem } from '../../basics/problem.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';
import { serverCount } from '../shared/capacity.ts';
import { groupSizeProblems, nameProblems, nodeCountProblems, sharedGroupProblems } from '../shared/checks.ts';
import { portProblems } from '../shared/port-checks.ts';
import { engines, maxInstances } from './catalog.ts';
import { balancerProblems } from './check/balancers.ts';
import { bareName } from './names.ts';

/** Everything in the model that a container engine cannot provide. */
export const problemsOf = (model: StackModel): Problem[] => [
  ...nameProblems(model, { normalize: bareName, kind: 'container' }),
  ...model.layers.flatMap((layer, index) => [
    ...capacityProblems(model, layer, at('layers', index, 'capacity')),
    ...balancerProblems(layer, at('layers', index, 'loadBalancer')),
    ...containerProblems(layer, at('layers', index, 'container')),
  ]),
  ...sizeProblems(model),
  ...portProblems(model),
  ...nodeCountProblems(model, engines),
];

function capacityProblems(model: StackModel, { capacity }: Layer, path: string): Problem[] {
  if (capacity.kind === 'fixed') return [];
  if (capacity.kind === 'group') return groupSizeProblems(capacity, path);
  return sharedGroupProblems(model, at(path, 'groupOf'), capacity.groupOf);
}

/** Reported at the layer that exceeds the limit. */
function sizeProblems({ layers }: StackModel): Problem[] {
  let count = 0;
  for (const [index, layer] of layers.entries()) {
    count += serverCount(layer);
    if (count > maxInstances)
      return [
        {
          path: at('layers', index, 'capacity'),
          message: `A stack can have at most ${maxInstances} instances on one machine. This layer brings it to ${count}.`,
        },
      ];
  }
  return [];
}

/** Directories an instance needs for itself: these and everything below them, and the directories that contain them. */
const reservedPath =
  /^\/(bin|boot|dev|etc|home\/ec2-user|lib\w*|opt\/almanac|proc|root|run|sbin|sys|usr|var\/(run|lib\/almanac))(\/|$)|^\/(home|opt|var|var\/lib)?$/;

/** Accepts normalized paths only, so that no other spelling reaches a reserved directory. */
const isAllowedMountPath = (path: string): boolean =>
  posix.isAbsolute(path) &&
  path === posix.normalize(path) &&
  !path.startsWith('//') &&
  !path.endsWith('/') &&
  !reservedPath.test(path);

const sshPort = 22;

function containerProblems(layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container || layer.capacity.kind === 'shared') return [];
  const problems: Problem[] = [];
  if (container.image === null)
    problems.push({
      path: at(path, 'image'),
      message: 'A container requires an image. Name one that the engine can pull.',
    });
  if (container.ports.includes(sshPort))
    problems.push({ path: at(path, 'ports'), message: 'Port 22 is reserved for ssh to the instance.' });
  const { storage } = container;
  if (storage?.kind === 'efs' && !isAllowedMountPath(storage.mountPath))
    problems.push({
      path: at(path, 'storage/mountPath'),
      message: `Shared files cannot be mounted at ${storage.mountPath}. Use a path such as /data.`,
    });
  return problems;
}
