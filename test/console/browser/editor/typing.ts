import type { Locator, Page } from 'playwright-core';

/** The text field of the editor, which is in a shadow root. */
export const editorOf = (page: Page): Locator =>
  page.getByRole('textbox', { name: /^(?:Template|Parameters) of/ });

/** Selects a word in the text with the search of the editor. */
export async function select(page: Page, word: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

/** Finds a word in the text, and types over it. */
export async function typeOver(page: Page, word: string, text: string): Promise<void> {
  await select(page, word);
  await page.keyboard.type(text);
  // Closes the list of words, which would take the next key.
  await page.keyboard.press('Escape');
}

/** Replaces the whole text by one line. */
export async function typeAll(page: Page, line: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(line);
}
