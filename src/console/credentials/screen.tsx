import { Page } from '../parts/page.tsx';

const Credentials = () => <Page title="Credentials">…</Page>;

export default Credentials;
