import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens. */
    browser: string;
  }
}

/** The first two draw a list below the address bar in each new window, which nobody sees, and which costs a second. The others are switched off by playwright, whose list this one replaces. */
const features = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Starts one browser for the whole run; every test has its own context in it. */
export default async function launch(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = process.env.TEST_CHROMIUM;
  if (!executablePath) throw new Error('TEST_CHROMIUM is not set: use npm run test:console.');
  const server = await chromium.launchServer({
    executablePath,
    // Chromium refuses its sandbox as root; /dev/shm is small in containers.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      `--disable-features=${features.join()}`,
    ],
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
