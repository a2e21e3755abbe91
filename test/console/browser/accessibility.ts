import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { views } from './harness.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** What axe looks at: everything, or only what can differ between the themes. */
const scopes = {
  all: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  colours: ['color-contrast', 'link-in-text-block'],
} as const;

/** What is behind a dialog cannot be used; it is looked at without the dialog. */
const looked = "[...document.querySelectorAll('dialog[open]')].at(-1) ?? document";

async function violationsIn(page: Page, where: string, scope: keyof typeof scopes): Promise<string[]> {
  // Evaluated, because the content security policy refuses another script element.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const options = { runOnly: scopes[scope], resultTypes: ['violations'], preload: false };
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${where}, ${JSON.stringify(options)}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id} (${impact}): ${help}: ${JSON.stringify(target)} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}

/** Everything on the page that WCAG 2.2 AA forbids and axe can find; one line for each element. There are no exceptions. */
export const violationsOf = (page: Page): Promise<string[]> => violationsIn(page, 'document', 'all');

/** After a change of the window, the page has drawn itself again. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** What is wrong with the page or its open dialog in both themes and both widths. The page is not loaded again, so that it keeps its state. */
export async function faultsInAllViews(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const seen = new Set<number>();
  for (const { theme, width } of views) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(drawn);
    const violations = await violationsIn(page, looked, seen.has(width) ? 'colours' : 'all');
    faults.push(...violations.map((each) => `${theme}, ${width} px: ${each}`));
    if (await scrollsSideways(page)) faults.push(`${theme}, ${width} px: scrolls sideways`);
    seen.add(width);
  }
  return faults;
}

/** True if the page is wider than the window, so that people have to scroll sideways to read it. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** A window of 1280 pixels at 400 percent: what is left for the page. */
export const zoomedWindow = { width: 320, height: 256 } as const;
