import { at } from '../../basics/problem.ts';
import { readBySchema } from '../read-by-schema.ts';
import type { Report } from '../report.ts';
import { defaultGitReference, groupRange, maxCacheNodes } from '../shared-meaning.ts';
import { cacheEngines } from './data-services.ts';
import type { V2Document } from './document.ts';
import { type Configuration, configuration, type Server, server } from './schema.ts';
import { setSecretsAside } from './secrets.ts';

/** A document with nothing left open: every default filled in, every secret by its name. */
export interface Settled {
  configuration: Configuration & { min: number; max: number };
  server: Server;
  /** Its secrets' texts, by name. */
  texts: ReadonlyMap<string, string>;
}

const reportCacheNodes = (given: Configuration, report: Report): void => {
  for (const [index, cache] of (given.elasticache ?? []).entries()) {
    const { ElastiCacheEngine: engine, ElastiCacheNodes: nodes } = cache;
    const most = maxCacheNodes[cacheEngines[engine]];
    const path = at('configurations/elasticache', index, 'ElastiCacheNodes');
    if (nodes > most) report(path, `must be a whole number, from 1 to ${most} for ${engine}.`);
  }
};

const reportTogether = (given: Configuration, report: Report): void => {
  const { min, max } = groupRange(given.min, given.max);
  if (given.architecture === 'art_elb' && min > max)
    report('configurations/min', `must not be more than max, ${max}.`);
  if (given.dockerHubPassword !== undefined && given.dockerHubUsername === undefined)
    report('configurations/dockerHubUsername', 'is missing. A registry password needs its user.');
  reportCacheNodes(given, report);
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

/** One server alone is exactly one, whatever was asked of a group. */
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

/** What a document says, looked at as a whole. The result is the truth when nothing was reported. */
export const settle = (document: V2Document, report: Report): Settled | null => {
  const withoutPasswords = setSecretsAside(document.configuration);
  const withoutKey = setSecretsAside({ ...document.server });
  const given = readBySchema(configuration, withoutPasswords.members, report, 'configurations');
  const settings = readBySchema(server, withoutKey.members, report, 'server');
  if (!given || !settings) return null;
  reportTogether(given, report);
  const texts = new Map([...withoutPasswords.texts, ...withoutKey.texts]);
  return { configuration: fillDefaults(given), server: settings, texts };
};
