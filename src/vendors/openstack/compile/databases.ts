import type { Database } from '../../../model/stack-model.ts';
import { databaseEngines } from '../catalog.ts';
import { parameter } from '../document.ts';
import { ownOrOther } from '../layout/own-or-other.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';

/** The name of the database and of its user in every stack; containers rely on it. */
export const applicationName = 'app';

export function database(
  { model, stackId, choices }: Context,
  { name, engine, storageGib }: Database,
): Entry[] {
  const chosen = choices.databases[name];
  // Trove rejects one of two requests at once in a project that had no database before.
  const first = model.databases[0]?.name ?? name;
  return [
    [
      names.database(name),
      {
        type: 'OS::Trove::Instance',
        ...dependsOn([names.dataRouterInterface, ...(name === first ? [] : [names.database(first)])]),
        properties: {
          name: names.databaseName(stackId, name),
          flavor: chosen?.flavor.name ?? '',
          size: storageGib,
          datastore_type: databaseEngines[engine].datastore,
          datastore_version: chosen?.version ?? '',
          networks: [{ network: ownOrOther(names.dataNetwork, choices.externalNetwork) }],
          databases: [{ name: applicationName }],
          users: [
            {
              name: applicationName,
              password: parameter(names.databasePasswordParameter),
              databases: [applicationName],
            },
          ],
        },
      },
    ],
  ];
}
