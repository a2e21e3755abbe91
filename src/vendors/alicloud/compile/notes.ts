import { at } from '../../../basics/problem.ts';
import type { Cache, Database, Layer } from '../../../model/stack-model.ts';
import type { Remark } from '../../portability.ts';
import { readHealthTarget } from '../../shared/listeners.ts';
import { databaseGib, volumeGib } from '../catalog.ts';
import type { Context } from './context.ts';
import { storageGib } from './databases.ts';
import { balancerHost } from './load-balancers.ts';
import { diskGib, keepsFiles } from './servers.ts';
import { balancerTags } from './tags.ts';

/** Sentences about what Alibaba Cloud takes in another way than the document says. */
export const notesOf = (context: Noted): string[] => remarksOf(context).map(({ message }) => message);

type Noted = Pick<Context, 'model'>;

/** The same, with the members that they are about. */
export const remarksOf = (context: Noted): Remark[] => [
  ...context.model.layers.flatMap((layer, index) => [
    ...remarksAt(at('layers', index, 'volume'), diskNotes(layer)),
    ...remarksAt(at('layers', index, 'container/storage'), filesNotes(layer)),
    ...remarksAt(at('layers', index, 'securityGroup'), icmpNotes(layer)),
    ...remarksAt(at('layers', index, 'loadBalancer'), balancerNotes(context, layer)),
  ]),
  ...context.model.databases.flatMap((database, index) =>
    remarksAt(at('databases', index, 'storageGib'), databaseNotes(database)),
  ),
  ...context.model.caches.flatMap((cache, index) =>
    remarksAt(at('caches', index, 'engine'), cacheNotes(cache)),
  ),
];

const remarksAt = (path: string, messages: readonly string[]): Remark[] =>
  messages.map((message) => ({ path, message }));

const diskNotes = (layer: Layer): string[] =>
  (layer.volume.sizeGib ?? volumeGib.min) >= volumeGib.min
    ? []
    : [
        `The disks of layer ${layer.flag} have ${diskGib(layer)} GiB, the minimum of Alibaba Cloud, not ${layer.volume.sizeGib}.`,
      ];

const filesNotes = (layer: Layer): string[] =>
  keepsFiles(layer)
    ? [
        `The files of layer ${layer.flag} are on the disks of its servers, and go with them: another image, fewer servers or new servers delete them. Almanac asks before that.`,
      ]
    : [];

const icmpNotes = ({ flag, securityGroup: { ingress, egress } }: Layer): string[] =>
  [...ingress, ...egress].some(
    ({ protocol, fromPort, toPort }) => protocol === 'icmp' && !(fromPort === 0 && toPort === 65535),
  )
    ? [
        `Rules of layer ${flag} for one type of ICMP allow all of ICMP: Alibaba Cloud does not tell its types apart.`,
      ]
    : [];

function balancerNotes(context: Noted, layer: Layer): string[] {
  const { loadBalancer: balancer, flag } = layer;
  if (!balancer) return [];
  const { subnetsOf, securityGroupsOf, scheme, listeners, healthCheck } = balancer;
  const of = `The load balancer of layer ${flag}`;
  const onlyConnects = readHealthTarget(healthCheck.target)?.path === null;
  const isAsked = onlyConnects && listeners.some(({ protocol }) => protocol !== 'tcp');
  const place =
    scheme === 'internal'
      ? `${of} is in the subnet of ${balancerHost(context, layer).flag} only.`
      : `${of} has a public address, and is in no subnet.`;
  const tagCount = Object.keys(context.model.tags ?? {}).length;
  return [
    ...(securityGroupsOf.length > 0
      ? [`${of} has no security group: those of Alibaba Cloud accept connections from everywhere.`]
      : []),
    ...(subnetsOf.length > (scheme === 'internal' ? 1 : 0) ? [place] : []),
    ...(isAsked
      ? [
          `${of} checks servers by a request for /, not by a connection alone. Any answer but a server error will do.`,
        ]
      : []),
    ...(tagCount > balancerTags
      ? [`${of} carries none of the ${tagCount} tags: it has room for ${balancerTags}.`]
      : []),
  ];
}

const databaseNotes = (database: Database): string[] =>
  database.storageGib < databaseGib.min
    ? [
        `Database ${database.name} has ${storageGib(database)} GiB, the minimum of Alibaba Cloud, not ${database.storageGib}.`,
      ]
    : [];

const cacheNotes = ({ name, engine }: Cache): string[] =>
  engine === 'memcached'
    ? [
        `Cache ${name}: Alibaba Cloud may no longer sell Memcached to new accounts, and then refuses the stack. Redis is always on sale.`,
      ]
    : [];
