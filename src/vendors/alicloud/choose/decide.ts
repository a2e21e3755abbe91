import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import type { Cache } from '../../../model/stack-model.ts';
import { type Choices, type ChosenCache, nothingChosen } from '../choices.ts';
import { redisVersion } from '../layout/service-classes.ts';
import { decideCertificates } from './certificates.ts';
import { decideDatabases } from './databases.ts';
import type { DecideInput } from './decide-input.ts';
import { decidePlaces } from './places.ts';
import { decideServers } from './servers.ts';

/** Makes the choices from what the cloud offers. Pure. Choices of the version before stay. */
export function decide(input: DecideInput): Outcome<Choices> {
  const { model, kept } = input;
  const places = decidePlaces(input);
  const servers = decideServers(input, places.value);
  const certificates = decideCertificates(input);
  const problems = [...places.problems, ...servers.problems, ...certificates.problems];
  if (problems.length > 0) return reject(problems);
  return succeed({
    ...nothingChosen,
    places: places.value,
    cidrs: kept.cidrs,
    servers: servers.value,
    databases: decideDatabases(input),
    caches: Object.fromEntries(
      model.caches.map((cache) => [cache.name, decideCache(cache, kept.caches[cache.name])]),
    ),
    certificates: certificates.value,
    volumeGib: kept.volumeGib,
  });
}

const decideCache = ({ engine, nodeType }: Cache, before: ChosenCache | undefined): ChosenCache => {
  if (engine !== 'redis') return { engine, version: '' };
  return { engine, version: before?.engine === engine ? before.version : redisVersion(nodeType) };
};
