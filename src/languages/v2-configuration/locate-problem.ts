import { isObject } from '../../basics/is-object.ts';
import { locate, type Origins, originsOf, type SpellingOf } from '../locate.ts';
import { parseJson } from '../parse-json.ts';
import type { V2Document } from './document.ts';

const all = 'configurations';
const type = 'configurations/type';
/** Decides between one server and a group behind a load balancer. */
const architecture = 'configurations/architecture';

/**
 * The members of a request that the members of the model are made from. Requests for servers have their members at the top.
 * What v2 cannot express is reported at the member that implies it.
 */
const origins: Origins = {
  region: ['region'],
  vendor: ['cred'],
  networkCidr: [all],
  layers: [all],
  'layers/*': [all],
  'layers/*/instanceType': [type],
  'layers/*/machineImage': [type],
  'layers/*/zone': [type],
  'layers/*/capacity': [architecture],
  'layers/*/capacity/min': ['configurations/min', architecture],
  'layers/*/capacity/max': ['configurations/max', 'configurations/min', architecture],
  'layers/*/capacity/scaling': ['configurations/targetRequests', 'configurations/targetCpu', architecture],
  'layers/*/capacity/spotPercent': ['configurations/spotRange', architecture],
  'layers/*/loadBalancer': [architecture],
  'layers/*/container': ['configurations/image', 'configurations/code', 'filepath'],
  'layers/*/container/registryUsername': ['configurations/dockerHubUsername'],
  'layers/*/container/registryPasswordSecret': ['configurations/dockerHubPassword'],
  'layers/*/container/codeDirectory': ['codeDir', 'configurations/code', 'configurations/image'],
  'layers/*/container/codeSource': ['configurations/codeSource', 'method', 'configurations/code'],
  'layers/*/container/gitRepository': ['filepath', 'configurations/code'],
  'layers/*/container/gitReference': ['branch', 'configurations/gitReference', 'configurations/code'],
  'layers/*/container/gitPrivateKeySecret': ['privateKey', 'configurations/gitPrivateKey'],
  'layers/*/container/image': ['configurations/image', 'filepath'],
  'layers/*/container/ports': ['ports', 'configurations/image', 'configurations/code'],
  'layers/*/container/ports/*': ['ports/*', 'configurations/image', 'configurations/code'],
  'layers/*/container/environment': ['envvars', 'configurations/image', 'configurations/code'],
  'layers/*/container/addons': ['mackerelApiKey', 'monitoringApiKey', 'configurations/image'],
  databases: ['configurations/database'],
  'databases/*': ['configurations/database/*'],
  'databases/*/engine': ['configurations/database/*/Engine'],
  'databases/*/engineVersion': ['configurations/database/*/Engine'],
  'databases/*/instanceType': ['configurations/database/*/DBtype'],
  'databases/*/storageGib': ['configurations/database/*/DBStorage'],
  'databases/*/replicas': ['configurations/database/*/ReadReplica1'],
  'databases/*/deletionProtection': ['configurations/database/*/DeletionProtection'],
  caches: ['configurations/elasticache'],
  'caches/*': ['configurations/elasticache/*'],
  'caches/*/engine': ['configurations/elasticache/*/ElastiCacheEngine'],
  'caches/*/nodeType': ['configurations/elasticache/*/ElastiCacheNodeType'],
  'caches/*/nodes': ['configurations/elasticache/*/ElastiCacheNodes'],
};

/** Names of members of databases and caches are case-insensitive. */
const spellingOf: SpellingOf = (members, position, name) => {
  if (Object.hasOwn(members, name)) return name;
  if (!position.endsWith('/*')) return undefined;
  return Object.keys(members).find((member) => member.toLowerCase() === name.toLowerCase());
};

/** `configurations` may be sent as JSON text. */
function parsed(request: object): object {
  const { configurations } = request as { configurations?: unknown };
  if (typeof configurations !== 'string') return request;
  const value = parseJson(configurations, all);
  return value.ok && isObject(value.value) ? { ...request, configurations: value.value } : request;
}

/** Spells the path of a member of the request as the caller did. */
export const asSent = (request: object, path: string): string =>
  locate({ candidates: [path], documents: [parsed(request)], spellingOf });

/**
 * Turns a path of the model into the path of a member of the request. What the request leaves unchanged is reported where it
 * is in the configuration of the stack.
 */
export const locateInRequest =
  (request: object | undefined, { configuration }: V2Document) =>
  (path: string): string =>
    locate({
      candidates: originsOf(origins, path),
      documents: [...(request ? [parsed(request)] : []), { [all]: configuration }],
      spellingOf,
    });
