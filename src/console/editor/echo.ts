/**
 * The page gives every text that the editor reports back to it, and may be some keys late. Taking such a text over
 * would remove what was typed since: only a text that comes from elsewhere is news.
 */
export class Echo {
  #reported: string[] = [];

  report(text: string): void {
    this.#reported.push(text);
  }

  /** Whether the editor, which shows `shown`, must take the text over. */
  isNews(text: string, shown: string): boolean {
    const isLate = text !== shown && this.#reported.includes(text);
    if (!isLate) this.#reported = [];
    return text !== shown && !isLate;
  }
}
