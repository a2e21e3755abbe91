/**
 * Reads a column that holds JSON as text. Only this program writes these columns, so the type is trusted; a text that is
 * not JSON is a damaged database. `place` names the column and the row, like `stacks.view of mo-1`.
 */
export function parseColumn<T>(text: string, place: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new Error(`The database is damaged: ${place} is not valid JSON.`, { cause });
  }
}
