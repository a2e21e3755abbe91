import { defineConfig } from 'vitest/config';

/** Suites with a double of ROS and the vendor's checker: scripts/with-ros.sh. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    // These suites drive other processes: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/alicloud/**/*.test.ts'],
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    maxWorkers: 2,
  },
});
