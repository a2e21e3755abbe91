import { Page } from '../parts/page.tsx';

const Audit = () => <Page title="Audit">…</Page>;

export default Audit;
