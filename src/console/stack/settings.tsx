import { Page } from '../parts/page.tsx';

const Settings = () => <Page title="Settings">…</Page>;

export default Settings;
