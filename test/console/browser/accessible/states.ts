import type { Page } from 'playwright-core';
import { faultsInAllViews } from '../accessibility.ts';

export interface State {
  /** What is checked, for the reader of a failure. */
  is: string;
  /** Below `/console/`. */
  at: string;
  /** Brings the page into the state, and waits for it. */
  reach: (page: Page) => Promise<unknown>;
}

/** Waits until the page has loaded what it shows. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' });
}

/** Presses buttons and entries of menus, one after the other. */
export async function press(page: Page, ...names: (string | RegExp)[]): Promise<void> {
  for (const name of names) {
    const exact = { name, exact: true };
    await page.getByRole('button', exact).or(page.getByRole('menuitem', exact)).last().click();
  }
}

/** A dialog that these buttons open. */
export const dialogBy = (at: string, ...names: (string | RegExp)[]): State => ({
  is: names.join(', '),
  at,
  reach: async (page) => {
    await press(page, ...names);
    await page.getByRole('dialog').waitFor();
  },
});

/** What is wrong with the states, one after the other. A page that is already open is not opened again: Escape closes its dialog. */
export async function faultsOf(page: Page, root: string, states: readonly State[]): Promise<string[]> {
  const faults: string[] = [];
  let opened: string | null = null;
  for (const { is, at, reach } of states) {
    await page.keyboard.press('Escape');
    if (at !== opened) await page.goto(`${root}/console/${at}`);
    opened = at;
    await reach(page);
    faults.push(...(await faultsInAllViews(page)).map((fault) => `${is}: ${fault}`));
  }
  return faults;
}
