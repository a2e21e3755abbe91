/** The entry of that name. Unlike `table[name]`, a name such as `toString` is not found in every table. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
