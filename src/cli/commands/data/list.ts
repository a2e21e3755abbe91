import type { SuccessOf } from '../../../contract/route.ts';
import type { listData as listRoute } from '../../../contract/v3/data.ts';
import { usageError } from '../../cli-error.ts';
import type { Run } from '../../command.ts';
import { isStackId } from '../../names/find-stacks.ts';
import { type Table, tableTime } from '../../view/table.ts';

type Store = SuccessOf<typeof listRoute>[number];

const tableOf = (stores: readonly Store[]): Table => ({
  priority: ['ID', 'STACK', 'KIND', 'NAME', 'STATE', 'KEPT UNTIL', 'SIZE'],
  header: [
    'ID',
    'STACK',
    'STACK ID',
    'KIND',
    'NAME',
    'STATE',
    'SIZE',
    'PROTECTED',
    'SINCE',
    'KEPT UNTIL',
    'VENDOR ID',
  ],
  rows: stores.map((store) => [
    store.id,
    store.nickname,
    store.stack_id,
    store.kind,
    store.name,
    store.state,
    store.size_gib === null ? '' : `${store.size_gib} GiB`,
    store.protected ? 'yes' : '',
    tableTime(store.since ?? ''),
    store.kept ? tableTime(store.kept.until ?? 'no end') : '',
    store.store_id,
  ]),
});

/** A nickname is compared here: data also outlives the stack that had the name. */
export const listData: Run = async ({ api, args, out }) => {
  const stack = args.text('stack');
  if (stack === '') throw usageError('--stack is empty.');
  const nickname = stack !== undefined && !isStackId(stack) ? stack : undefined;
  const state = args.text('state') as Store['state'] | 'all' | undefined;
  const kind = args.text('kind') as Store['kind'] | undefined;
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/alm/data', {
    query: {
      ...(stack !== undefined && nickname === undefined ? { stack_id: stack } : {}),
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
    },
  });
  const found = nickname === undefined ? body : body.filter((store) => store.nickname === nickname);
  await out.document(nickname === undefined ? text : JSON.stringify(found), () => tableOf(found));
};
