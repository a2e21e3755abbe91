// Writes docs/vendors/aws-permissions.md from the tables of AWS calls and resource types; part of `npm run docs`.
import { writeFile } from 'node:fs/promises';
import { permissionsPage } from '../dist/vendors/aws/permissions/docs-page.js';

await writeFile(new URL('../docs/vendors/aws-permissions.md', import.meta.url), permissionsPage());
