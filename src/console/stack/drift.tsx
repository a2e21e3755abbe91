import { Page } from '../parts/page.tsx';

const Drift = () => <Page title="Drift">…</Page>;

export default Drift;
