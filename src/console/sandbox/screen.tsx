import { Page } from '../parts/page.tsx';

const Sandbox = () => <Page title="Sandbox">…</Page>;

export default Sandbox;
