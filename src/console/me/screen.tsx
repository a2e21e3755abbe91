import { Page } from '../parts/page.tsx';

const Me = () => <Page title="Your account">…</Page>;

export default Me;
