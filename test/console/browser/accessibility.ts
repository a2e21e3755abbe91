import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] };

/** Everything on the page that WCAG 2.2 AA forbids and axe can find; one line for each element. There are no exceptions. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Evaluated, because the content security policy refuses another script element.
  await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify(rules)}).then((result) => result.violations)`,
  );
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id} (${impact}): ${help}: ${JSON.stringify(target)} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}

/** True if the page is wider than the window, so that people have to scroll sideways to read it. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** A window of 1280 pixels at 400 percent: what is left for the page. */
export const zoomedWindow = { width: 320, height: 256 } as const;
