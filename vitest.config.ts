import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests drive real processes and sockets: on a busy machine a second try tells slowness from a mistake.
    retry: 1,
    include: ['test/**/*.test.ts'],
    // They need Python or a container engine and have scripts of their own: npm run test:aws, npm run test:docker.
    exclude: [...configDefaults.exclude, 'test/aws/**', 'test/docker/**'],
    // Nothing listens there: these tests reach no cloud, whatever they save or apply.
    env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
    // They mostly wait. What they import is the same for all, and costs more than many of them: no file keeps state in a module.
    isolate: false,
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
