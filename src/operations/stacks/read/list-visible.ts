import type { StackFilter, StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import { mayList } from '../../access/permission.ts';

type ListedRow = Pick<StackRow, 'id' | 'created_by' | 'vendor' | 'credential_id' | 'created_at'>;

/** Lists the stacks the caller may see. Continues with later stacks until the page is full. */
export async function listVisible<Row extends ListedRow>(
  actor: Actor,
  filter: StackFilter,
  read: (filter: StackFilter) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const visible: Row[] = [];
  let { after } = filter;
  for (;;) {
    const rows = await read({ ...filter, after });
    visible.push(...rows.filter((row) => mayList(actor, row)));
    const last = rows.at(-1);
    const isComplete =
      filter.limit === undefined || rows.length < filter.limit || visible.length >= filter.limit;
    if (isComplete || !last) return visible.slice(0, filter.limit);
    after = { createdAt: last.created_at, id: last.id };
  }
}
