// Writes docs/cli.md from the command table; part of `npm run docs`.
import { writeFile } from 'node:fs/promises';
import { cliPage } from '../dist/cli/help/docs-page.js';

await writeFile(new URL('../docs/cli.md', import.meta.url), cliPage());
