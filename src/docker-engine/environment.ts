/** Parses the engine's `NAME=value` lines. */
export const environmentFrom = (lines: readonly string[] | null | undefined): Record<string, string> =>
  Object.fromEntries(
    (lines ?? []).map((line) => {
      const at = line.indexOf('=');
      return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    }),
  );

export const environmentLines = (environment: Readonly<Record<string, string>> | undefined): string[] =>
  Object.entries(environment ?? {}).map(([name, value]) => `${name}=${value}`);
