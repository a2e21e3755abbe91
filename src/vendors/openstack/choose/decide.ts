import { type Outcome, reject, succeed } from '../../../basics/problem.ts';
import { type Choices, nothingChosen } from '../choices.ts';
import { decideDatabases } from './databases.ts';
import type { DecideInput } from './decide-input.ts';
import {
  balancerServiceProblems,
  decideCertificates,
  decideExternalNetwork,
  decideZone,
  zoneProblems,
} from './places.ts';
import { decideCaches, decideLayers } from './servers.ts';

/** Makes the choices from what the cloud offers. Pure. Choices of the version before stay. */
export function decide(input: DecideInput): Outcome<Choices> {
  const { model, kept, offer } = input;
  const network = decideExternalNetwork(input);
  const layers = decideLayers(input);
  const databases = decideDatabases(input);
  const caches = decideCaches(input);
  const certificates = decideCertificates(input);
  const problems = [
    ...network.problems,
    ...zoneProblems(input),
    ...layers.problems,
    ...balancerServiceProblems(input),
    ...certificates.problems,
    ...databases.problems,
    ...caches.problems,
  ];
  if (problems.length > 0) return reject(problems);
  const isSameDatabase = (name: string): boolean =>
    model.databases.some((each) => each.name === name && each.engine === kept.databases[name]?.engine);
  return succeed({
    ...nothingChosen,
    externalNetwork: network.value,
    zone: decideZone(input),
    servers: layers.chosen,
    databases: databases.chosen,
    caches: caches.chosen,
    certificates: certificates.value,
    dataCidr: kept.dataCidr,
    volumeGib: kept.volumeGib,
    hasBackups: offer.services.has('object-store'),
    restored: kept.restored,
    databaseGib: Object.fromEntries(
      Object.entries(kept.databaseGib).filter(([name]) => isSameDatabase(name)),
    ),
  });
}
