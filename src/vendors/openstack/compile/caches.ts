import { resourceSuffix } from '../../../model/names.ts';
import type { Cache } from '../../../model/stack-model.ts';
import { nodeRole } from '../../shared/caches.ts';
import { cacheEngines } from '../catalog.ts';
import { type Json, replaceIn, resource } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';
import { type Launch, volumesOf } from './launch.ts';
import { mountLines } from './mount-data.ts';
import { addressOf, serverResources } from './server-resources.ts';
import { innerSecurityGroup } from './traffic-rules.ts';

/** OpenStack has no service for caches: each node is a server that installs the engine. */
export const cache = (context: Context, model: Cache): Entry[] => [
  [
    names.cacheSecurityGroup(model.name),
    innerSecurityGroup(context, `Cache ${resourceSuffix(model.name)}`, cacheEngines[model.engine].port),
  ],
  ...Array.from({ length: model.nodes }, (_, index) => node(context, model, index)).flat(),
];

const node = (context: Context, model: Cache, index: number): Entry[] =>
  serverResources({
    dialect: context.dialect,
    launch: launchOf(context, model, index),
    ids: {
      port: names.cachePort(model, index),
      server: names.cacheNode(model, index),
      volume: names.cacheVolume(model, index),
      ...(hasData(model, index)
        ? { data: { volume: names.redisData(model.name), attachment: names.redisDataAttachment(model.name) } }
        : {}),
      floatingIp: '',
      poolMember: () => '',
    },
    after: [names.dataRouterInterface],
    // A changed script would replace the server, and with it the data.
    keepsScript: true,
  });

function launchOf(context: Context, model: Cache, index: number): Launch {
  const { stackId, choices, dialect } = context;
  const chosen = choices.caches[model.name];
  const zone = dialect.zonedNetworks ? choices.zone : undefined;
  return {
    name: `${names.serverName(stackId, model.name)}-${index}`,
    image: chosen?.image ?? '',
    flavor: chosen?.flavor.name ?? '',
    ...(zone === undefined ? {} : { zone }),
    network: resource(names.dataNetwork),
    subnet: resource(names.dataSubnet),
    securityGroups: [resource(names.cacheSecurityGroup(model.name))],
    metadata: {
      [names.stackKey]: stackId,
      [names.cacheKey]: model.name,
      [names.cacheEngineKey]: model.engine,
      [names.cacheIndexKey]: String(index),
    },
    userData: scripts[model.engine]({ model, index, hasVolume: chosen?.data !== undefined }),
    ...(chosen ? volumesOf(chosen, hasData(model, index)) : {}),
    pools: [],
  };
}

const install = (packages: string, before = ''): string => `#!/bin/bash
${before}export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3 4 5; do
  apt-get update && apt-get install -y ${packages} && break
  sleep 10
done
`;

/** The first node of Redis alone has data that is not copied from another. */
const hasData = ({ engine }: Cache, index: number): boolean => engine === 'redis' && index === 0;

const dataDirectory = '/var/lib/redis';

const redisSettings = 'bind 0.0.0.0\nprotected-mode no\nappendonly yes\n';

interface Node {
  model: Cache;
  index: number;
  /** For the data of the first node of Redis. */
  hasVolume: boolean;
}

/** The first node is the primary. The others copy it; none takes its place. */
function redis({ model, index, hasVolume }: Node): Json {
  const isReplica = nodeRole(model, index) === 'replica';
  const settings = `${redisSettings}${isReplica ? `replicaof @primary@ ${cacheEngines.redis.port}\n` : ''}`;
  const isMounted = hasVolume && hasData(model, index);
  const script = `${install('redis-server', isMounted ? mountLines(dataDirectory) : '')}${isMounted ? `chown -R redis: ${dataDirectory}\n` : ''}cat >>/etc/redis/redis.conf <<'END'\n${settings}END\nsystemctl restart redis-server\n`;
  return isReplica ? replaceIn(script, { '@primary@': addressOf(names.cachePort(model, 0)) }) : script;
}

/** Three quarters of the memory: the rest is for the system and the connections. */
const memcached = (): string =>
  `${install('memcached')}memory=$(awk '/MemTotal/ { print int($2 * 3 / 4096) }' /proc/meminfo)\n` +
  `printf -- '-d\\n-u memcache\\n-l 0.0.0.0\\n-m %s\\n' "$memory" >/etc/memcached.conf\nsystemctl restart memcached\n`;

const scripts: Readonly<Record<Cache['engine'], (node: Node) => Json>> = {
  redis,
  memcached,
};
