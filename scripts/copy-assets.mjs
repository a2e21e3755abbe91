// Copies the shell scripts in src to dist, where tsc does not put them.
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const scripts = readdirSync('src', { recursive: true }).filter((file) => file.endsWith('.sh'));
for (const file of scripts) cpSync(join('src', file), join('dist', file));
