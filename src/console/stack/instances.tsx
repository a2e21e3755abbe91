import { Page } from '../parts/page.tsx';

const Instances = () => <Page title="Instances">…</Page>;

export default Instances;
