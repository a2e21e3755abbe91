import { defineConfig } from 'vitest/config';

/** What needs simulators of AWS, and so Python: scripts/with-moto.sh. Two files at a time: each simulator fills a core. */
export default defineConfig({
  test: {
    // Many tests drive real processes and sockets: on a busy machine a second try tells slowness from a mistake.
    retry: 1,
    include: ['test/aws/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    maxWorkers: 2,
  },
});
