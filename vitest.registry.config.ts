import { defineConfig } from 'vitest/config';

/** Needs a container engine, a registry and its clients: npm run test:registry brings them. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    // These suites drive real registries and engines: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/registry/**/*.test.ts'],
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 120_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each file has its own server and registry. They share the engine, whose images have different names.
    maxWorkers: 2,
  },
});
