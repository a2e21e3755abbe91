import type { describeV2Stack } from '../../../contract/v2/stacks.ts';
import type { previewDeletion } from '../../../contract/v3/data.ts';
import type { describeStack } from '../../../contract/v3/stacks.ts';
import type { Context } from '../../command.ts';
import { type Instances, instancesOf, type Members } from '../../net/instances.ts';
import { dataWord } from '../data/data-word.ts';

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

/** What becomes of each store of data if the stack is deleted as the flags say. */
export async function dataLosses(context: Context, stackId: string): Promise<string[]> {
  const { data } = dataWord(context);
  const { body } = await context.api.call<typeof previewDeletion>(
    'GET',
    '/v3/alm/stack/{stack_id}/deletion',
    { params: { stack_id: stackId }, query: data === undefined ? {} : { data } },
  );
  return body.data.map(({ sentence }) => sentence);
}

/** What the deletion of a stack takes with it: stores of data first. */
export async function lossesOf(context: Context, stackId: string): Promise<string[]> {
  // First: it fails with a hint if the stack is of the other API version, and the preview of a deletion has stacks of both.
  const { nickname, stack_status: status, ...rest } = await describe(context, stackId);
  const parts = [
    ...count(instancesOf(rest), 'instance'),
    ...count(rest.dbinstances, 'database'),
    ...count(rest.caches ?? [], 'cache node'),
  ];
  return [
    ...(await dataLosses(context, stackId)),
    `Stack ${stackId} (${nickname}), ${status}, is deleted with ${parts.join(', ') || 'its resources'}.`,
  ];
}
