import { isObject } from '../../../basics/is-object.ts';
import type { Database, StackModel } from '../../../model/stack-model.ts';
import type { VersionRow } from '../../../store/stacks/versions.ts';

type Versioned = Pick<VersionRow, 'model' | 'document'>;

interface CarriedOver {
  model: StackModel;
  document: VersionRow['document'];
  /** What stays as it is, in sentences. */
  notes: string[];
}

const isNewer = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) > 0;

type Steps = Partial<Pick<Database, 'storageGib' | 'engineVersion'>>;

/** What of a living database no vendor takes back: a larger storage, a newer version. */
function stepsOf(older: Database, current: Database | undefined): Steps {
  if (!current || current.engine !== older.engine) return {};
  const { storageGib, engineVersion } = current;
  const upgraded =
    engineVersion !== null && (older.engineVersion === null || isNewer(engineVersion, older.engineVersion));
  return {
    ...(storageGib > older.storageGib ? { storageGib } : {}),
    ...(upgraded ? { engineVersion } : {}),
  };
}

const noteOf = (name: string, { storageGib, engineVersion }: Steps): string => {
  const parts = [
    ...(storageGib === undefined ? [] : [`its storage of ${storageGib} GiB`]),
    ...(engineVersion === undefined ? [] : [`its version ${engineVersion}`]),
  ];
  return `Database ${name} keeps ${parts.join(' and ')}: it cannot go back.`;
};

function inLayer(layer: unknown, name: string, steps: Steps): unknown {
  if (!isObject(layer) || layer['flag'] !== name || !isObject(layer['provision'])) return layer;
  const { rds, ...provision } = layer['provision'];
  if (!isObject(rds)) return layer;
  const { storageGib: storage, engineVersion: version } = steps;
  const changed = {
    ...rds,
    ...(storage === undefined ? {} : { storage }),
    ...(version ? { version } : {}),
  };
  return { ...layer, provision: { ...provision, rds: changed } };
}

/** The template says the same as the model, so that it can be sent again. */
function inDocument(document: VersionRow['document'], name: string, steps: Steps): VersionRow['document'] {
  const { configurations } = document;
  if (!Array.isArray(configurations)) return document;
  return { ...document, configurations: configurations.map((layer: unknown) => inLayer(layer, name, steps)) };
}

/** The older version with what cannot go back taken from the current one; undefined: everything can. */
export function carryOver(older: Versioned, current: Versioned): CarriedOver | undefined {
  const living = new Map(current.model.databases.map((database) => [database.name, database]));
  const carried = older.model.databases
    .map((database) => ({ database, steps: stepsOf(database, living.get(database.name)) }))
    .filter(({ steps }) => Object.keys(steps).length > 0);
  if (carried.length === 0) return undefined;
  const stepsByName = new Map(carried.map(({ database, steps }) => [database.name, steps]));
  const databases = older.model.databases.map((database) =>
    Object.assign({}, database, stepsByName.get(database.name)),
  );
  return {
    model: { ...older.model, databases },
    document: carried.reduce(
      (document, { database, steps }) => inDocument(document, database.name, steps),
      older.document,
    ),
    notes: carried.map(({ database, steps }) => noteOf(database.name, steps)),
  };
}
