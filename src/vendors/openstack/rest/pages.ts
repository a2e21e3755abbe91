/** A list of a cloud in pages. Services allow fewer rows in a page than requested, and link to the next one. */
export type Page = Readonly<Record<string, unknown>>;

interface Paged {
  /** Path with its query. */
  path: string;
  /** The member of the answer that has the rows. */
  member: string;
  /** Rows in a page, if the path names it: a full page may not be the last, even without a link. */
  limit?: number;
}

const isLinks = ([key, value]: [string, unknown]): boolean =>
  /(^|_)links$/.test(key) && Array.isArray(value) && value.length > 0;

/** Glance and Barbican name the next page, all others have links to it. */
export const hasNext = (page: Page): boolean =>
  typeof page['next'] === 'string' || Object.entries(page).some(isLinks);

const withMarker = (path: string, marker: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}marker=${encodeURIComponent(marker)}`;

/** Reads all pages. Ends at a page without new rows: a cloud that ignores the marker repeats the first for ever. */
export async function readPages<Row extends { id: string }>(
  read: (path: string) => Promise<Page>,
  { path, member, limit = Infinity }: Paged,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let next = path; ; next = withMarker(path, [...rows.keys()].at(-1) ?? '')) {
    const page = await read(next);
    const found = (page[member] ?? []) as readonly Row[];
    const known = rows.size;
    for (const row of found) rows.set(row.id, row);
    if (rows.size === known || !(found.length >= limit || hasNext(page))) return [...rows.values()];
  }
}
