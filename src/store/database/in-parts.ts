/** The number of variables in a statement is limited; a large stack has thousands of events in one pass. */
const rowsPerStatement = 500;

export function* inParts<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += rowsPerStatement)
    yield items.slice(start, start + rowsPerStatement);
}
