import { Page } from '../parts/page.tsx';

const Clients = () => <Page title="API clients">…</Page>;

export default Clients;
