import { posix } from 'node:path';
import { at, type Problem } from '../../basics/problem.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';
import { engines, maxInstances } from './catalog.ts';
import { balancerProblems } from './check/balancers.ts';
import { instanceCount } from './compile/servers.ts';
import { bareName } from './names.ts';

/** Everything in the model that an engine could never make, at once. */
export const problemsOf = (model: StackModel): Problem[] => [
  ...nameProblems(model),
  ...model.layers.flatMap((layer, index) => [
    ...capacityProblems(model, layer, at('layers', index, 'capacity')),
    ...balancerProblems(layer, at('layers', index, 'loadBalancer')),
    ...containerProblems(layer, at('layers', index, 'container')),
  ]),
  ...sizeProblems(model),
  ...cacheProblems(model),
];

const namedParts = (model: StackModel): [string, readonly string[]][] => [
  ['layers', model.layers.map((layer) => layer.flag)],
  ['databases', model.databases.map((database) => database.name)],
  ['caches', model.caches.map((cache) => cache.name)],
];

const nameProblems = (model: StackModel): Problem[] =>
  namedParts(model).flatMap(([part, names]) =>
    names.flatMap((name, index) => {
      const first = names.findIndex((other) => bareName(other) === bareName(name));
      const path = at(part, index);
      if (bareName(name) === '') return [{ path, message: `The name ${name} holds no letter or digit.` }];
      if (first === index) return [];
      return [{ path, message: `The names ${name} and ${names[first]} make the same container names.` }];
    }),
  );

function capacityProblems(model: StackModel, { capacity }: Layer, path: string): Problem[] {
  if (capacity.kind === 'fixed') return [];
  if (capacity.kind === 'group') {
    if (capacity.min <= capacity.max) return [];
    const message = `The least number of instances, ${capacity.min}, is above the greatest, ${capacity.max}.`;
    return [{ path, message }];
  }
  const owner = model.layers.find((layer) => layer.flag === capacity.groupOf);
  if (owner?.capacity.kind === 'group') return [];
  return [
    {
      path: at(path, 'groupOf'),
      message: `There is no layer ${capacity.groupOf} with an autoscaling group.`,
    },
  ];
}

/** Told at the layer with which it becomes too much. */
function sizeProblems({ layers }: StackModel): Problem[] {
  let count = 0;
  for (const [index, layer] of layers.entries()) {
    count += instanceCount(layer);
    if (count > maxInstances)
      return [
        {
          path: at('layers', index, 'capacity'),
          message: `A stack has up to ${maxInstances} instances on one machine; with this layer it would have ${count}.`,
        },
      ];
  }
  return [];
}

/** Where an instance keeps what it needs itself: these with all below them, and those that hold such a place. */
const takenPlace =
  /^\/(bin|boot|dev|etc|home\/ec2-user|lib\w*|opt\/almanac|proc|root|run|sbin|sys|usr|var\/(run|lib\/almanac))(\/|$)|^\/(home|opt|var|var\/lib)?$/;

/** One place has one way to be written, so that none is reached by another. */
const isFitPlace = (path: string): boolean =>
  posix.isAbsolute(path) &&
  path === posix.normalize(path) &&
  !path.startsWith('//') &&
  !path.endsWith('/') &&
  !takenPlace.test(path);
const sshPort = 22;

function containerProblems(layer: Layer, path: string): Problem[] {
  const { container } = layer;
  if (!container || layer.capacity.kind === 'shared') return [];
  const problems: Problem[] = [];
  if (container.image === null)
    problems.push({
      path: at(path, 'image'),
      message: 'A container needs an image. Name one that the engine can pull.',
    });
  if (container.ports.includes(sshPort))
    problems.push({ path: at(path, 'ports'), message: 'Port 22 is where instances themselves take ssh.' });
  const { storage } = container;
  if (storage?.kind === 'efs' && !isFitPlace(storage.mountPath))
    problems.push({
      path: at(path, 'storage/mountPath'),
      message: `The instances cannot have shared files at ${storage.mountPath}; choose a place such as /data.`,
    });
  return problems;
}

const cacheProblems = (model: StackModel): Problem[] =>
  model.caches.flatMap(({ engine, nodes }, index) => {
    const { most } = engines[engine];
    const message = `${engine} takes up to ${most} nodes, not ${nodes}.`;
    return nodes <= most ? [] : [{ path: at('caches', index, 'nodes'), message }];
  });
