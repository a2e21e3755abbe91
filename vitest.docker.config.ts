import { defineConfig } from 'vitest/config';

/** Needs a container engine and our images: npm run test:docker brings both. One file at a time: they share the engine. */
export default defineConfig({
  test: {
    // Many tests drive real processes and sockets: on a busy machine a second try tells slowness from a mistake.
    retry: 1,
    include: ['test/docker/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    fileParallelism: false,
  },
});
