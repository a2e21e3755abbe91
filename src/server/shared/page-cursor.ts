import { Failure } from '../../basics/failure.ts';
import { textProblem } from '../../basics/text/readable-text.ts';

export interface PagePosition {
  createdAt: number;
  id: string;
}

const encodeCursor = (position: PagePosition): string =>
  Buffer.from(JSON.stringify([position.createdAt, position.id])).toString('base64url');

/** Databases reject other numbers with an internal error. */
const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** Decodes a cursor, which is opaque to clients. Rejects cursors that this server did not issue. */
export function decodeCursor(cursor: string): PagePosition {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [
      unknown,
      unknown,
    ];
    if (isSafeInteger(createdAt) && typeof id === 'string' && textProblem(id) === null)
      return { createdAt, id };
  } catch {
    // Not issued by this server either.
  }
  throw new Failure('invalid_request', 'cursor is invalid', {
    description: 'Pass the X-Next-Cursor header of the previous page unchanged.',
  });
}

interface PageRequest {
  path: string;
  query: Readonly<Record<string, string | number | undefined>>;
  limit: number | undefined;
  setHeader(name: string, value: string): void;
}

/** One entry more than a page holds shows whether there is a next page. */
export const oneMore = (limit: number | undefined): number | undefined => limit && limit + 1;

/** Drops the extra entry and, if there is a next page, sets the headers that identify it. */
export function pageOf<T>(
  found: readonly T[],
  request: PageRequest,
  positionOf: (item: T) => PagePosition,
): readonly T[] {
  const page = found.slice(0, request.limit);
  const last = page.at(-1);
  if (last === undefined || page.length === found.length) return page;
  const cursor = encodeCursor(positionOf(last));
  const parameters = Object.entries(request.query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const next = new URLSearchParams({ ...Object.fromEntries(parameters), cursor });
  request.setHeader('x-next-cursor', cursor);
  request.setHeader('link', `<${request.path}?${next.toString()}>; rel="next"`);
  return page;
}
