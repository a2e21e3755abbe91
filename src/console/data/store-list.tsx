import type { ReactNode } from 'react';
import { useSearchValues } from '../address/search.ts';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Empty } from '../parts/messages/empty.tsx';
import { Card, Row, Stack } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Filters } from './filters.tsx';
import { StoreTable } from './store-table.tsx';
import { commandOf, useStores } from './stores.ts';

interface PagesProps {
  cursor: string | undefined;
  next: string | null;
  onTurn: (cursor: string | undefined) => void;
}

const Pages = ({ cursor, next, onTurn }: PagesProps) => (
  <Row spread>
    <span>
      {cursor && (
        <Button small onClick={() => onTurn(undefined)}>
          Newest
        </Button>
      )}
    </span>
    {next && (
      <Button small onClick={() => onTurn(next)}>
        Older
      </Button>
    )}
  </Row>
);

interface StoreListProps {
  /** Absent: of all stacks. */
  stackId?: string;
  title?: string;
  /** What to say if there are none. */
  children: ReactNode;
}

/** The stores that the filters of the address leave. */
export const StoreList = ({ stackId, title = 'Stores of data', children }: StoreListProps) => {
  const [search, change] = useSearchValues();
  const asked = stackId ? { ...search, stack_id: stackId } : search;
  return (
    <Stack>
      <Filters search={search} change={change} />
      <Answer of={useStores(asked)} what="the data">
        {({ stores, next }) => (
          <>
            {stores.length === 0 ? (
              <Empty title="No data">{children}</Empty>
            ) : (
              <Card flush title={title} aside={`${stores.length}`}>
                <StoreTable stores={stores} hasStack={stackId === undefined} />
              </Card>
            )}
            <Pages cursor={search['cursor']} next={next} onTurn={(cursor) => change({ cursor })} />
          </>
        )}
      </Answer>
      <AsCommand command={commandOf(asked)} />
    </Stack>
  );
};
