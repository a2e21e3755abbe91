import type { Problem } from '../../../basics/problem.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Choices, Offered } from '../choices.ts';
import type { Region } from '../region.ts';
import { askForCaches } from './offers/caches.ts';
import { type Answered, askForDatabases } from './offers/databases.ts';

const offersIn = (answers: ReadonlyMap<string, Answered>): Record<string, Offered> =>
  Object.fromEntries([...answers].map(([name, { offered }]) => [name, offered]));

/** Asks AWS for versions and types of databases and caches that are new or change. */
export async function askForServices(
  region: Region,
  model: StackModel,
  kept: Choices,
): Promise<Pick<Choices, 'offered' | 'notes'> & { problems: Problem[] }> {
  const [databases, caches] = await Promise.all([
    askForDatabases(region, model, kept.databases),
    askForCaches(region, model, kept.caches),
  ]);
  const all = [...databases.values(), ...caches.values()];
  return {
    offered: { databases: offersIn(databases), caches: offersIn(caches) },
    notes: [...new Set(all.flatMap(({ notes }) => notes))],
    problems: all.flatMap(({ problems }) => problems),
  };
}
