import { defineConfig } from 'vitest/config';

/** Suites on AWS simulators, which need Python: scripts/with-moto.sh. Two files at a time: each simulator fills a core. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    // These suites drive simulators in other processes: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/aws/**/*.test.ts'],
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
