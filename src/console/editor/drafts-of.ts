const prefixOf = (owner: string): string => `almanac draft ${owner} `;

const keysOf = (owner: string): string[] => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(owner)));
  } catch {
    return []; // storage is off
  }
};

/** How many drafts of this user the browser keeps. */
export const countDrafts = (owner: string): number => keysOf(owner).length;

export function dropDrafts(owner: string): void {
  for (const key of keysOf(owner)) localStorage.removeItem(key);
}
