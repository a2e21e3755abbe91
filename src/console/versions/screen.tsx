import { Page } from '../parts/page.tsx';

const Versions = () => <Page title="Versions">…</Page>;

export default Versions;
