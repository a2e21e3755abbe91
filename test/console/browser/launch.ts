import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens. */
    browser: string;
  }
}

/** Starts one browser for the whole run; every test has its own context in it. */
export default async function launch(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.TEST_CHROMIUM;
  if (!executablePath) throw new Error('TEST_CHROMIUM is not set: use npm run test:console.');
  const server = await chromium.launchServer({
    executablePath,
    args: (process.env.TEST_CHROMIUM_ARGUMENTS ?? '').split(' '),
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
