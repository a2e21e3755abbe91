import { at } from '../../basics/problem.ts';
import { defaultGitReference, groupRange, maxCacheNodes } from '../defaults.ts';
import { readBySchema } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { cacheEngines } from './data-services.ts';
import type { V2Document } from './document.ts';
import { type Configuration, configuration, type Server, server } from './schema.ts';
import { extractSecrets } from './secrets.ts';

/** A document with all defaults filled in and secrets replaced by their names. */
export interface Settled {
  configuration: Configuration & { min: number; max: number };
  server: Server;
  /** Values of its secrets, by name. */
  texts: ReadonlyMap<string, string>;
}

const checkCacheNodes = ({ elasticache = [] }: Configuration, report: Report): void => {
  for (const [index, cache] of elasticache.entries()) {
    const { ElastiCacheEngine: engine, ElastiCacheNodes: nodes } = cache;
    const max = maxCacheNodes[cacheEngines[engine]];
    const path = at('configurations/elasticache', index, 'ElastiCacheNodes');
    if (nodes > max) report(path, `must be an integer from 1 to ${max} for ${engine}.`);
  }
};

const checkCombinations = (given: Configuration, report: Report): void => {
  const { min, max } = groupRange(given.min, given.max);
  if (given.architecture === 'art_elb' && min > max)
    report('configurations/min', `must not exceed max (${max}).`);
  if (given.targetCpu !== undefined && given.targetRequests !== undefined)
    report('configurations/targetRequests', 'cannot be combined with targetCpu; keep one of them.');
  if (given.dockerHubPassword !== undefined && given.dockerHubUsername === undefined)
    report('configurations/dockerHubUsername', 'is required with a registry password.');
  checkCacheNodes(given, report);
};

type Database = NonNullable<Configuration['database']>[number];

const noReplicas = {
  ReadReplica1: false,
  ReadReplica2: false,
  ReadReplica3: false,
  ReadReplica4: false,
  ReadReplica5: false,
};

const withReplicas = (item: Database): Database => ({ ...noReplicas, ...item });

/** A single server ignores the group size. */
const rangeOf = (given: Configuration) =>
  given.architecture === 'art_single' ? { min: 1, max: 1 } : groupRange(given.min, given.max);

const fillDefaults = (given: Configuration): Settled['configuration'] => {
  const { code, codeSource, gitReference = defaultGitReference, database } = given;
  return {
    ...given,
    ...rangeOf(given),
    ...(code === undefined || codeSource === 'object_store' ? {} : { gitReference }),
    ...(database ? { database: database.map(withReplicas) } : {}),
  };
};

/** Checks a whole document and fills in its defaults. Use the result only when nothing was reported. */
export const settle = (document: V2Document, report: Report): Settled | null => {
  const withoutPasswords = extractSecrets(document.configuration);
  const withoutKey = extractSecrets({ ...document.server });
  const given = readBySchema(configuration, withoutPasswords.members, { path: 'configurations', report });
  const settings = readBySchema(server, withoutKey.members, { path: 'server', report });
  if (!given || !settings) return null;
  checkCombinations(given, report);
  const texts = new Map([...withoutPasswords.texts, ...withoutKey.texts]);
  return { configuration: fillDefaults(given), server: settings, texts };
};
