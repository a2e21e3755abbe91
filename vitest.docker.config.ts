import { defineConfig } from 'vitest/config';

/** Needs a container engine and our images: npm run test:docker brings both. One file at a time: they share the engine. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    // These suites drive real containers: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/docker/**/*.test.ts'],
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
