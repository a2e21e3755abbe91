import { Page } from '../parts/page.tsx';

const User = () => <Page title="User">…</Page>;

export default User;
