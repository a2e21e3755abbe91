import { useSearchValues } from '../address/search.ts';
import { Button } from '../parts/acts/button.tsx';
import { Row, Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { StoreList } from './store-list.tsx';
import { useRereadWithStacks } from './stores.ts';

/** The address may name a stack that is gone for so long that it has no page. */
const OneStack = () => {
  const [{ stack_id: id }, change] = useSearchValues();
  if (!id) return null;
  return (
    <Row>
      <span>
        Only of stack <code>{id}</code>
      </span>
      <Button small onClick={() => change({ stack_id: undefined, cursor: undefined })}>
        Show all stacks
      </Button>
    </Row>
  );
};

const Data = () => {
  useRereadWithStacks();
  return (
    <Page title="Data" about="Everything that holds data at the vendors, and what is kept of what is gone.">
      <Stack>
        <OneStack />
        <StoreList>
          Databases, Redis caches, files and disks of fixed servers are listed here, and what is kept of them
          after they or their stacks are gone. There are none, or none that match these filters.
        </StoreList>
      </Stack>
    </Page>
  );
};

export default Data;
