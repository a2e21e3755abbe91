import { defineConfig } from 'vitest/config';

/** Suites on a real OpenStack of one machine: scripts/with-openstack.sh. One file at a time: they share its quotas and engine. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    // These suites drive services in other processes: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/openstack/**/*.test.ts'],
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 300_000 } },
    testTimeout: 900_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
});
