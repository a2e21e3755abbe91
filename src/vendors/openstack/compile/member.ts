import type { Layer } from '../../../model/stack-model.ts';
import {
  type Json,
  type Parameter,
  type Properties,
  parameter,
  resource,
  type Template,
} from '../document.ts';
import * as names from '../names.ts';
import type { Context } from './context.ts';
import { type Launch, type LaunchMarks, launchOf, marksOf } from './launch.ts';
import { addressOf, type ServerNames, serverResources } from './server-resources.ts';

/** The template of a group's member, and the values of its parameters. */
export interface Member {
  template: Template;
  properties: Properties;
}

/**
 * Every value is a parameter: a group notices a changed value of a property and then replaces its members in batches, but not
 * a changed file.
 */
class Parameters {
  readonly declared: Record<string, Parameter> = {};
  readonly values: Record<string, Json> = {};

  put(name: string, value: Json, type: Parameter['type'] = 'string'): Json {
    this.declared[name] = name === 'user_data' ? { type, hidden: true } : { type };
    this.values[name] = value;
    return parameter(name);
  }

  /** Like `put`, for a member that may be absent. */
  maybe<Key extends string>(key: Key, name: string, value: Json | undefined): { [K in Key]?: Json } {
    return (value === undefined ? {} : { [key]: this.put(name, value) }) as { [K in Key]?: Json };
  }
}

function volumeParameters({ volume }: Launch, parameters: Parameters): Pick<Launch, 'volume'> {
  if (!volume) return {};
  return {
    volume: {
      sizeGib: parameters.put('volume_size', volume.sizeGib, 'number'),
      ...parameters.maybe('type', 'volume_type', volume.type),
      ...parameters.maybe('zone', 'volume_zone', volume.zone),
    },
  };
}

const withParameters = (launch: Launch, parameters: Parameters): Launch => ({
  name: parameters.put('name', launch.name),
  image: parameters.put('image', launch.image),
  flavor: parameters.put('flavor', launch.flavor),
  ...parameters.maybe('key', 'key', launch.key),
  ...parameters.maybe('zone', 'zone', launch.zone),
  network: parameters.put('network', launch.network),
  subnet: parameters.put('subnet', launch.subnet),
  securityGroups: parameters.put('security_groups', launch.securityGroups, 'comma_delimited_list'),
  metadata: parameters.put('metadata', launch.metadata, 'json'),
  ...parameters.maybe('userData', 'user_data', launch.userData),
  ...volumeParameters(launch, parameters),
  ...parameters.maybe('floatingNetwork', 'floating_network', launch.floatingNetwork),
  pools: launch.pools.map(({ name, pool, port, monitorPort }, index) => ({
    name,
    pool: parameters.put(`pool_${index}`, pool),
    port: parameters.put(`pool_${index}_port`, port, 'number'),
    monitorPort: parameters.put(`pool_${index}_monitor_port`, monitorPort, 'number'),
  })),
});

const namesOf = ({ boot, wait }: LaunchMarks): ServerNames => ({
  ...names.member,
  volume: names.member.volume(boot),
  wait:
    wait === undefined
      ? undefined
      : { handle: names.member.waitHandle(wait), condition: names.member.waitCondition(wait) },
  poolMember: (pool) => `MemberIn${pool}`,
});

export function memberOf(context: Context, layer: Layer): Member {
  const { dialect, stackId } = context;
  const parameters = new Parameters();
  const launch = withParameters(launchOf(context, layer, names.serverName(stackId, layer.flag)), parameters);
  const ids = namesOf(marksOf(context, layer));
  const resources = serverResources({ dialect, launch, ids, after: [], keepsScript: false });
  const template: Template = {
    heat_template_version: dialect.templateVersion,
    description: `A server of layer ${layer.flag}`,
    parameters: parameters.declared,
    resources: Object.fromEntries(resources),
    outputs: {
      'OS::stack_id': { value: resource(ids.server) },
      address: { value: addressOf(ids.port) },
    },
  };
  return { template, properties: parameters.values };
}
