import { Page } from '../parts/page.tsx';

const Users = () => <Page title="Users">…</Page>;

export default Users;
