import { defineConfig } from 'vitest/config';

/** `npm run test:crash`: scripts/crash.mjs. */
export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    include: ['test/crash/**/*.test.ts'],
    // Only a hang reaches these limits.
    testTimeout: 7_200_000,
    hookTimeout: 600_000,
  },
});
