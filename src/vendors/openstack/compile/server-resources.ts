import type { Dialect } from '../dialect.ts';
import { attribute, type Json, type Properties, resource } from '../document.ts';
import { volumeType } from '../layout/stores.ts';
import * as names from '../names.ts';
import { dependsOn, type Entry } from './context.ts';
import type { Launch, LaunchMarks, LaunchVolume } from './launch.ts';

/** The names of one server's resources. */
export interface ServerNames {
  port: string;
  server: string;
  volume: string;
  data?: { volume: string; attachment: string };
  floatingIp: string;
  /** Undefined: nothing waits for its agent. */
  wait?: { handle: string; condition: string } | undefined;
  poolMember: (pool: string) => string;
}

interface ServerInput {
  dialect: Dialect;
  launch: Launch;
  ids: ServerNames;
  /** What must exist before the server has a way out. */
  after: readonly string[];
  /** Whether a changed script leaves the server as it is. */
  keepsScript: boolean;
}

/** How long a server may take until its agent reports. */
const waitSeconds = 900;

/** A server with its port, volume, public address and places behind load balancers. */
export const serverResources = (input: ServerInput): Entry[] => [
  portEntry(input),
  ...volumeEntry(input),
  serverEntry(input),
  ...dataEntries(input),
  ...addressEntry(input),
  ...memberEntries(input),
  ...waitEntries(input.ids),
];

const portEntry = ({ dialect: { members }, launch, ids, after }: ServerInput): Entry => [
  ids.port,
  {
    type: 'OS::Neutron::Port',
    ...dependsOn(after),
    properties: {
      [members.network]: launch.network,
      fixed_ips: [{ [members.subnet]: launch.subnet }],
      security_groups: launch.securityGroups,
    },
  },
];

const placeOf = ({ type, zone }: LaunchVolume): Properties => ({
  ...(type === undefined ? {} : { volume_type: type }),
  ...(zone === undefined ? {} : { availability_zone: zone }),
});

function volumeEntry({ launch, ids }: ServerInput): Entry[] {
  const { volume, name, image, metadata } = launch;
  if (!volume) return [];
  const properties = { name, size: volume.sizeGib, image, ...placeOf(volume), metadata };
  return [[ids.volume, { type: volumeType, properties }]];
}

/** The volume with the data of a server. If the server is replaced, Heat detaches it and attaches it to the new one. */
function dataEntries({ launch, ids }: ServerInput): Entry[] {
  const { data, name } = launch;
  if (!data || !ids.data) return [];
  const { volume, attachment } = ids.data;
  const metadata = { ...(launch.metadata as Properties), [names.storeKey]: volume };
  return [
    [
      volume,
      {
        type: volumeType,
        // Only Almanac deletes data, when a caller released it.
        deletion_policy: 'Retain',
        properties: { name, size: data.sizeGib, ...placeOf(data), metadata },
      },
    ],
    [
      attachment,
      {
        type: 'OS::Cinder::VolumeAttachment',
        properties: { volume_id: resource(volume), instance_uuid: resource(ids.server) },
      },
    ],
  ];
}

const bootFrom = ({ launch, ids }: ServerInput): Properties =>
  launch.volume
    ? {
        block_device_mapping_v2: [
          { volume_id: resource(ids.volume), boot_index: 0, delete_on_termination: false },
        ],
      }
    : { image: launch.image };

const scriptOf = ({ launch, keepsScript, dialect }: ServerInput): Properties =>
  launch.userData === undefined
    ? {}
    : {
        user_data_format: 'RAW',
        user_data: launch.userData,
        ...(keepsScript && dialect.capabilities.keepsScripts ? { user_data_update_policy: 'IGNORE' } : {}),
      };

/** The script of the server mounts the volume that is named here. */
const serverMetadata = ({ launch: { metadata, data }, ids }: ServerInput): Json =>
  data && ids.data ? { ...(metadata as Properties), [names.volumeKey]: resource(ids.data.volume) } : metadata;

function serverEntry(input: ServerInput): Entry {
  const { launch, ids } = input;
  return [
    ids.server,
    {
      type: 'OS::Nova::Server',
      properties: {
        name: launch.name,
        flavor: launch.flavor,
        ...bootFrom(input),
        ...(launch.key === undefined ? {} : { key_name: launch.key }),
        ...(launch.zone === undefined ? {} : { availability_zone: launch.zone }),
        networks: [{ port: resource(ids.port) }],
        metadata: serverMetadata(input),
        ...scriptOf(input),
      },
    },
  ];
}

/** A floating IP address has no name: what is left of a stack is found by its description. */
export const labelled = ({ ownServices }: Dialect, label: Json): Properties =>
  ownServices ? {} : { value_specs: { description: label } };

const addressEntry = ({ dialect, launch, ids, after }: ServerInput): Entry[] =>
  launch.floatingNetwork === undefined
    ? []
    : [
        [
          ids.floatingIp,
          {
            type: 'OS::Neutron::FloatingIP',
            ...dependsOn(after),
            properties: {
              [dialect.members.floatingNetwork]: launch.floatingNetwork,
              port_id: resource(ids.port),
              ...labelled(dialect, launch.name),
            },
          },
        ],
      ];

export const addressOf = (port: string): Json => attribute(port, 'fixed_ips', 0, 'ip_address');

const memberEntries = ({ launch, ids }: ServerInput): Entry[] =>
  launch.pools.map(({ name, pool, port, monitorPort }) => [
    ids.poolMember(name),
    {
      type: 'OS::Octavia::PoolMember',
      properties: {
        pool,
        address: addressOf(ids.port),
        subnet: launch.subnet,
        protocol_port: port,
        monitor_port: monitorPort,
      },
    },
  ]);

/** Almanac answers the handle when the agent first reports. */
const waitEntries = ({ wait, server }: ServerNames): Entry[] =>
  wait
    ? [
        [wait.handle, { type: 'OS::Heat::WaitConditionHandle' }],
        [
          wait.condition,
          {
            type: 'OS::Heat::WaitCondition',
            ...dependsOn([server]),
            properties: { handle: resource(wait.handle), count: 1, timeout: waitSeconds },
          },
        ],
      ]
    : [];

export const namesOfServer = (flag: string, index: number, { boot, wait }: LaunchMarks): ServerNames => ({
  port: names.port(flag, index),
  server: names.server(flag, index),
  volume: names.volume(flag, index, boot),
  data: { volume: names.files(flag, index), attachment: names.filesAttachment(flag, index) },
  floatingIp: names.floatingIp(flag, index),
  wait:
    wait === undefined
      ? undefined
      : { handle: names.waitHandle(flag, index, wait), condition: names.waitCondition(flag, index, wait) },
  poolMember: (pool) => names.poolMember(pool, index),
});
