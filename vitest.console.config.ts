import { defineConfig } from 'vitest/config';

/** Suites in a real Chromium: scripts/with-chromium.sh. They need `npm run build` for the files of the console. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    globalSetup: './test/console/browser/launch.ts',
    // These suites drive another process: one retry, which the report at the end shows.
    retry: 1,
    include: ['test/console/browser/**/*.test.ts'],
    env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
    // Only a hang reaches these limits.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
});
