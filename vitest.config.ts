import { configDefaults, defineConfig } from 'vitest/config';

/** Suites that start real processes: servers, the built `alm`, the built agent. They need `npm run build`. */
const processSuites = [
  'test/e2e/**/*.test.ts',
  'test/cli/{net,people,registry,rough,session,stacks,up}/**/*.test.ts',
  'test/cli/args/completion*.test.ts',
  'test/cli/follow/{final-document,wait}.test.ts',
  'test/cli/terminal/{exec,ssh}.test.ts',
  'test/cli/view/output.test.ts',
  'test/agent/{bundle,install,git}.test.ts',
];

const shared = {
  // No server listens there: these tests reach no cloud, whatever credential they save or apply.
  env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
  // Imports are the same for all files and cost more than many tests. No test file keeps state in a module.
  isolate: false,
  // Only a hang reaches this limit.
  expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
  test: {
    reporters: ['default', './test/report-results.ts'],
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'code',
          include: ['test/**/*.test.ts'],
          // These need Python, a container engine, an OpenStack or a browser: npm run test:aws, test:docker, …
          exclude: [
            ...configDefaults.exclude,
            'test/aws/**',
            'test/docker/**',
            'test/registry/**',
            'test/openstack/**',
            'test/alicloud/**',
            'test/crash/**',
            'test/console/browser/**',
            ...processSuites,
          ],
          // A busy machine may delay PostgreSQL and its notifications: one retry, which the report at the end shows.
          retry: process.env.TEST_POSTGRES_URL ? 1 : 0,
          // Only a hang reaches these limits.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'processes',
          include: processSuites,
          // A busy machine may delay a process: one retry, which the report at the end shows.
          retry: 1,
          // Only a hang reaches these limits.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // After all other tests, so that processes do not compete with them for the processor.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
