import { type Outcome, reject, succeed } from '../../basics/problem.ts';
import type { StackModel } from '../../model/stack-model.ts';
import { problemsOf } from './check.ts';
import { balancerOf } from './compile/balancers.ts';
import { outputsOf } from './compile/outputs.ts';
import { fleetOf } from './compile/servers.ts';
import { cacheServices, databaseServices } from './compile/services.ts';
import type { DockerDocument } from './document.ts';

/**
 * The document does not include what containers run: agents read image, code and environment from Almanac, so a
 * deployment does not change it.
 */
export function compile(model: StackModel): Outcome<DockerDocument> {
  const problems = problemsOf(model);
  if (problems.length > 0) return reject(problems);
  const fleets = model.layers.flatMap((layer) => fleetOf(model, layer));
  const services = [
    ...model.databases.flatMap((database) => databaseServices(model, database)),
    ...model.caches.flatMap((cache) => cacheServices(model, cache)),
  ];
  const volumes = [
    ...fleets.flatMap(({ files }) => files?.volume ?? []),
    ...fleets.flatMap(({ slots }) => slots.flatMap(({ volume }) => volume ?? [])),
    ...services.flatMap(({ volume }) => volume ?? []),
  ];
  return succeed({
    region: model.region,
    volumes: [...new Set(volumes)],
    fleets,
    balancers: model.layers.flatMap(balancerOf),
    services,
    outputs: outputsOf(model),
  });
}
