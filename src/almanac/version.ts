import { createRequire } from 'node:module';

/** The one place it is written is package.json, two folders up from here in the sources and in the build alike. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
