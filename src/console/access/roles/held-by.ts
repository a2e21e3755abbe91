const list = new Intl.ListFormat('en');

/** Held by ann, jun and build server */
export const heldBy = (names: readonly string[]): string =>
  names.length === 0 ? 'Nobody has it' : `Held by ${list.format(names)}`;
