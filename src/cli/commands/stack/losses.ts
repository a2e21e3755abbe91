import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import type { Context } from '../../command.ts';
import { type Instances, instancesOf, type Members, read } from '../../net/instances.ts';

interface Described {
  nickname: string;
  stack_status: string;
  instances: Instances;
  dbinstances: readonly Members[];
  caches?: readonly Members[];
}

async function describe({ api, version }: Context, stackId: string): Promise<Described> {
  const params = { stack_id: stackId };
  const { body } =
    version === 'v2'
      ? await api.call<typeof describeV2Stack>('GET', '/v2/alm/stack/{stack_id}', { params })
      : await api.call<typeof describeStack>('GET', '/v3/alm/stack/{stack_id}', { params });
  return (Array.isArray(body) ? body[0] : body) as unknown as Described;
}

const count = (found: readonly unknown[], word: string): string[] =>
  found.length > 0 ? [`${found.length} ${word}${found.length === 1 ? '' : 's'}`] : [];

/** What the deletion of a stack takes with it: stores of data first. */
export async function lossesOf(context: Context, stackId: string): Promise<string[]> {
  const {
    nickname,
    stack_status: status,
    dbinstances,
    caches = [],
    ...rest
  } = await describe(context, stackId);
  const isDeleted = context.args.is('delete-data');
  const fate = isDeleted
    ? 'its data is deleted, and nothing of it is kept.'
    : 'its data is kept outside the stack.';
  const databases = dbinstances.map(
    (each) =>
      `Database ${read(each, 'DBInstanceIdentifier')} (${read(each, 'Engine')}, ${read(each, 'AllocatedStorage')} GB): ${fate}`,
  );
  const cached = caches.map(
    (each) =>
      `Cache ${read(each, 'CacheClusterId')} (${read(each, 'Engine')}): ${read(each, 'Engine') === 'redis' ? fate : 'its cached data is lost.'}`,
  );
  const parts = [
    ...count(instancesOf(rest), 'instance'),
    ...count(dbinstances, 'database'),
    ...count(caches, 'cache node'),
  ];
  return [
    ...databases,
    ...cached,
    `Stack ${stackId} (${nickname}), ${status}, is deleted with ${parts.join(', ') || 'its resources'}.`,
  ];
}
