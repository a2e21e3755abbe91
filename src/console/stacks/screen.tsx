import { useRef } from 'react';
import type { StackSummary } from '../../contract/v3/schemas/stack-summary.ts';
import { useKeys } from '../address/keys.ts';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import { TableWindow } from '../lists/table-window.tsx';
import { Stale } from '../live/stale.tsx';
import { LinkAct } from '../parts/acts/button.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card } from '../parts/page/card.tsx';
import { loadedLater } from '../parts/page/loaded-later.ts';
import { useNarrow } from '../parts/page/narrow.ts';
import { Page } from '../parts/page/page.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Attention } from './attention.tsx';
import { byUrgency, inView, matching, type View, views } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { RowHead, StackRow } from './row.tsx';
import { useRowKeys } from './row-keys.ts';
import styles from './screen.module.css';
import { useStackList } from './stack-list.ts';

/** Only accounts without stacks show it. */
const Welcome = loadedLater(() => import('./welcome.tsx'));

const isView = (text: string | undefined): text is View => views.includes(text as View);

const List = ({ rows }: { rows: readonly StackSummary[] }) => {
  const rowHeight = useNarrow(1100) ? 122 : 62;
  const show = useRowKeys(rows);
  return (
    <Stale>
      <Card flush>
        <RowHead />
        <TableWindow
          label="Stacks"
          rows={rows}
          rowHeight={rowHeight}
          keyOf={(row) => row.stack_id}
          draw={(row) => <StackRow row={row} />}
          show={show}
        />
      </Card>
    </Stale>
  );
};

const Stacks = ({ rows }: { rows: readonly StackSummary[] }) => {
  const [search, change] = useSearchValues();
  const field = useRef<HTMLInputElement>(null);
  const view = isView(search['view']) ? search['view'] : 'all';
  const filter = search['filter'] ?? '';
  const found = matching(byUrgency(inView(rows, view)), filter);
  useKeys({ filter: () => field.current?.focus() });
  if (rows.length === 0) return <Welcome />;
  return (
    <>
      <FilterBar rows={rows} view={view} filter={filter} onChange={change} field={field} />
      {filter === '' && view !== 'working' && <Attention rows={rows} />}
      {found.length > 0 ? (
        <List rows={found} />
      ) : (
        <Empty title="No stack matches">
          {filter
            ? 'Change the words of the filter, or choose another view.'
            : 'Nothing is in this view now.'}
        </Empty>
      )}
      <p className={styles.shown} role="status">
        {found.length} of {rows.length} shown
      </p>
    </>
  );
};

const StacksScreen = () => (
  <Page
    title="Stacks"
    actions={
      <LinkAct look="main" action="template:createAlmTemplate" to={addressOf(pages.newStack)}>
        New stack
      </LinkAct>
    }
  >
    <Answer of={useStackList()} what="the stacks">
      {(rows) => <Stacks rows={rows} />}
    </Answer>
  </Page>
);

export default StacksScreen;
