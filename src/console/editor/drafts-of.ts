/** The names of all drafts in this browser begin with this. */
export const draftPrefix = 'almanac draft ';

const draftNames = (): string[] => {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(draftPrefix));
  } catch {
    return []; // storage is off
  }
};

/** How many drafts the browser keeps. */
export const countDrafts = (): number => draftNames().length;

/** A draft lives no longer than the session in which it was typed: others may use the browser after it. */
export function dropDrafts(): void {
  for (const name of draftNames()) localStorage.removeItem(name);
}
