import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { describeStack as describeV3Stack } from '../../../contract/v3/stacks.ts';
import type { Context, Run } from '../../command.ts';
import { type Instances, instancesOf, type Members, read } from '../../net/instances.ts';
import { doingText } from '../../view/doing.ts';
import type { Table } from '../../view/table.ts';

interface StackDescription {
  stack_id: string;
  nickname: string;
  stack_status: string;
  stack_status_reason: string;
  /** Absent on v2. */
  doing?: StackSummary['doing'];
  doing_reason?: string;
  health?: string;
  health_reason?: string;
  configuration: Members;
  instances: Instances;
  dbinstances: readonly Members[];
  caches?: readonly Members[];
  stack_outputs: readonly { OutputKey: string; OutputValue: string }[];
}

const instanceTable = (stack: StackDescription): Table => ({
  priority: ['INSTANCE ID', 'STATUS', 'FLAG', 'PUBLIC IP', 'PRIVATE IP'],
  header: [
    'INSTANCE ID',
    'INSTANCE TYPE',
    'INSTANCE MODEL',
    'PUBLIC DNS',
    'PUBLIC IP',
    'PRIVATE IP',
    'FLAG',
    'STATUS',
  ],
  rows: instancesOf(stack).map((instance) => [
    read(instance, 'InstanceId'),
    read(instance, 'InstanceLifecycle') || 'on-demand',
    read(instance, 'InstanceType'),
    read(instance, 'PublicDnsName'),
    read(instance, 'PublicIpAddress'),
    read(instance, 'PrivateIpAddress'),
    read(instance, 'flag') || '-NA-',
    read(instance, 'State', 'Name'),
  ]),
});

const layerTable = ({ configuration }: StackDescription): Table | null => {
  const layers: unknown = configuration.configurations;
  if (!Array.isArray(layers)) return null;
  return {
    header: ['ROLE', 'FLAG', 'CONTAINER'],
    rows: layers.map((layer) => [
      read(layer, 'role'),
      read(layer, 'flag'),
      read(layer, 'container', 'image') || read(layer, 'container', 'container_image'),
    ]),
  };
};

const endpointOf = (each: Members): string =>
  [read(each, 'Endpoint', 'Address'), read(each, 'Endpoint', 'Port')].filter(Boolean).join(':');

const databaseTable = ({ dbinstances }: StackDescription): Table => ({
  header: ['DATABASE', 'ENGINE', 'CLASS', 'STORAGE', 'ENDPOINT', 'STATUS'],
  rows: dbinstances.map((each) => [
    read(each, 'DBInstanceIdentifier'),
    `${read(each, 'Engine')} ${read(each, 'EngineVersion')}`.trim(),
    read(each, 'DBInstanceClass'),
    read(each, 'AllocatedStorage'),
    endpointOf(each),
    read(each, 'DBInstanceStatus'),
  ]),
});

const cacheTable = ({ caches = [] }: StackDescription): Table => ({
  header: ['CACHE', 'ENGINE', 'NODE TYPE', 'ENDPOINT', 'STATUS'],
  rows: caches.map((each) => [
    read(each, 'CacheClusterId'),
    read(each, 'Engine'),
    read(each, 'CacheNodeType'),
    endpointOf(each),
    read(each, 'CacheClusterStatus'),
  ]),
});

const outputTable = ({ stack_outputs: outputs }: StackDescription): Table => ({
  header: ['OUTPUT', 'VALUE'],
  rows: outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
});

/** Existing scripts parse the first two tables, which are always shown; the others only when they have rows. */
async function showTables({ out }: Context, stack: StackDescription): Promise<void> {
  const { stack_id: id, nickname, stack_status: status, stack_status_reason: reason } = stack;
  const { doing = '', doing_reason = '' } = stack;
  const state = [status, reason, doingText({ doing, doing_reason })].filter((text) => text !== '').join('. ');
  out.info(`[stack] ${id} (${nickname}): ${state}`);
  if (stack.health !== undefined && stack.health !== 'none')
    out.info(`[application] ${stack.health}${stack.health_reason ? `: ${stack.health_reason}` : ''}`);
  out.info('[instances]');
  await out.table(instanceTable(stack));
  const others: [string, Table | null][] = [
    ['configurations', layerTable(stack)],
    ['databases', databaseTable(stack)],
    ['caches', cacheTable(stack)],
    ['outputs', outputTable(stack)],
  ];
  for (const [name, table] of others) {
    if (!table || (table.rows.length === 0 && name !== 'configurations')) continue;
    out.data('\n');
    out.info(`[${name}]`);
    await out.table(table);
  }
}

export const describeStack: Run = async (context) => {
  const { api, args, out, version } = context;
  const params = { stack_id: args.required('id') };
  const reply =
    version === 'v2'
      ? await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', { params })
      : await api.call<typeof describeV3Stack>('GET', '/v3/alm/stack/{stack_id}', { params });
  if (out.format !== 'table') return out.document(reply.text);
  const stack = Array.isArray(reply.body) ? reply.body[0] : reply.body;
  await showTables(context, stack as unknown as StackDescription);
};
