import { createRequire } from 'node:module';

/** From package.json, two folders up in the sources and in the build. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
