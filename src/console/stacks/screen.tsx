import { Page } from '../parts/page.tsx';

const Stacks = () => <Page title="Stacks">…</Page>;

export default Stacks;
