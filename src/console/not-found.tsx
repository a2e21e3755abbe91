import { addressOf, pages } from './address/pages.ts';
import { Empty } from './parts/messages/empty.tsx';
import { Page } from './parts/page/page.tsx';

const NotFound = () => (
  <Page title="No such page" above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}>
    <Empty title="This page does not exist">
      The address may be mistyped, or the thing was deleted. Use the menu, or <kbd>Ctrl K</kbd> to search.
    </Empty>
  </Page>
);

export default NotFound;
