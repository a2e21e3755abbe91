// Writes docs/api.md from the route tables; part of `npm run docs`.
import { writeFile } from 'node:fs/promises';
import { apiPage } from '../dist/contract/api-page.js';

await writeFile(new URL('../docs/api.md', import.meta.url), apiPage());
