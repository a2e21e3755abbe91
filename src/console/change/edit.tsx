import { Page } from '../parts/page.tsx';

const Edit = () => <Page title="Edit">…</Page>;

export default Edit;
