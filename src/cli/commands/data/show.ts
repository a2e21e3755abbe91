import type { SuccessOf } from '../../../contract/route.ts';
import type { describeData } from '../../../contract/v3/data.ts';
import type { Context, Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

type Store = SuccessOf<typeof describeData>;

/** Asks the service for the store that the command names. */
export const fetchStore = ({ api, args }: Context) =>
  api.call<typeof describeData>('GET', '/v3/alm/data/{data_id}', {
    params: { data_id: args.required('id') },
  });

/** One row for each member that has a value, also for those of what is kept: `kept_until`. */
const rowsOf = ({ kept, ...store }: Store): string[][] =>
  [
    ...Object.entries(store),
    ...Object.entries(kept ?? {}).map(([name, value]) => [`kept_${name}`, value] as const),
  ]
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [name, tableTime(String(value))]);

export const showData: Run = async (context) => {
  const { text, body } = await fetchStore(context);
  await context.out.document(text, () => ({ header: ['MEMBER', 'VALUE'], rows: rowsOf(body) }));
};
