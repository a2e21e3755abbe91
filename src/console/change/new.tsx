import { Page } from '../parts/page.tsx';

const NewStack = () => <Page title="New stack">…</Page>;

export default NewStack;
