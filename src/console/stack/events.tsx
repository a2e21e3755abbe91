import { Page } from '../parts/page.tsx';

const Events = () => <Page title="Events">…</Page>;

export default Events;
