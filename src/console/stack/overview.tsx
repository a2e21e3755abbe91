import { Page } from '../parts/page.tsx';

const Overview = () => <Page title="Stack">…</Page>;

export default Overview;
