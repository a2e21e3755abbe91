import { Failure } from '../../basics/failure.ts';

export interface PagePosition {
  createdAt: number;
  id: string;
}

const encodeCursor = (position: PagePosition): string =>
  Buffer.from(JSON.stringify([position.createdAt, position.id])).toString('base64url');

/** A database refuses other numbers in its own words. */
const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** Opaque to callers; anything but one of ours is refused. */
export function decodeCursor(cursor: string): PagePosition {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [
      unknown,
      unknown,
    ];
    if (isSafeInteger(createdAt) && typeof id === 'string') return { createdAt, id };
  } catch {
    // not one of ours either
  }
  throw new Failure('invalid_request', 'cursor is not one this server gave out', {
    description: 'Pass the X-Next-Cursor header of the page before, unchanged.',
  });
}

interface PageRequest {
  path: string;
  query: Readonly<Record<string, string | number | undefined>>;
  limit: number | undefined;
  setHeader(name: string, value: string): void;
}

/** One more than a page holds tells whether there is a next one. */
export const oneMore = (limit: number | undefined): number | undefined => limit && limit + 1;

/** Cuts the one more off again, and names the next page when there is one. */
export function pageOf<T>(
  found: readonly T[],
  request: PageRequest,
  positionOf: (item: T) => PagePosition,
): readonly T[] {
  const page = found.slice(0, request.limit);
  const last = page.at(-1);
  if (last === undefined || page.length === found.length) return page;
  const cursor = encodeCursor(positionOf(last));
  const given = Object.entries(request.query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const address = new URLSearchParams({ ...Object.fromEntries(given), cursor });
  request.setHeader('x-next-cursor', cursor);
  request.setHeader('link', `<${request.path}?${address.toString()}>; rel="next"`);
  return page;
}
