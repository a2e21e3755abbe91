import { Failure } from '../basics/failure.ts';

export interface PagePosition {
  createdAt: number;
  id: string;
}

export const encodeCursor = (position: PagePosition): string =>
  Buffer.from(JSON.stringify([position.createdAt, position.id])).toString('base64url');

/** Opaque to callers; anything but one of ours is refused. */
export function decodeCursor(cursor: string): PagePosition {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [
      unknown,
      unknown,
    ];
    if (typeof createdAt === 'number' && typeof id === 'string') return { createdAt, id };
  } catch {
    // not one of ours either
  }
  throw new Failure('invalid_request', 'cursor is not one this server gave out', {
    description: 'Pass the X-Next-Cursor header of the page before, unchanged.',
  });
}
