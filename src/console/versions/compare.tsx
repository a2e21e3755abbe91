import { Page } from '../parts/page.tsx';

const Compare = () => <Page title="Compare">…</Page>;

export default Compare;
