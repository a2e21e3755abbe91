// Writes docs/vendors/alicloud-permissions.md from the tables of calls and resource types; part of `npm run docs`.
import { writeFile } from 'node:fs/promises';
import { permissionsPage } from '../dist/vendors/alicloud/permissions/docs-page.js';

await writeFile(new URL('../docs/vendors/alicloud-permissions.md', import.meta.url), permissionsPage());
