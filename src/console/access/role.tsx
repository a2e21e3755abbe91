import { Page } from '../parts/page.tsx';

const Role = () => <Page title="Role">…</Page>;

export default Role;
