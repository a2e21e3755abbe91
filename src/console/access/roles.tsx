import { Page } from '../parts/page.tsx';

const Roles = () => <Page title="Roles">…</Page>;

export default Roles;
