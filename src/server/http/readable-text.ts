import type { FastifyRequest } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { Problem } from '../../basics/problem.ts';
import { findUnreadableText } from '../../basics/text/readable-text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes strictly; null if the bytes are not UTF-8. */
const decoded = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};

const refuse = (found: readonly Problem[]): void => {
  const problems = found.map(({ path, message }) => ({
    path,
    message: `${path || 'The body'} ${message.replace(/\.$/, '')}`,
  }));
  if (problems.length === 0) return;
  const message = problems.map((problem) => problem.message).join('; ');
  throw new Failure('invalid_request', message, { problems });
};

/** Refuses texts that no database can store, with the path of each. */
export const refuseUnreadable = (value: unknown): void => refuse(findUnreadableText(value));

export const decodeBody = (bytes: Buffer): string => {
  const text = decoded(bytes);
  if (text === null)
    throw new Failure('invalid_request', 'The request body is not valid UTF-8', {
      description: 'Send text encoded in UTF-8.',
    });
  return text;
};

const percentEncoded = /(?:%[0-9a-f]{2})+/gi;

const isUtf8 = (text: string): boolean =>
  (text.match(percentEncoded) ?? []).every(
    (run) => decoded(Buffer.from(run.replaceAll('%', ''), 'hex')) !== null,
  );

/**
 * Refuses percent-encoded bytes that are not UTF-8: the parsers of queries and forms keep them, or replace them by another
 * character. A percent sign that encodes nothing is a percent sign, because clients send those.
 */
export const refuseWrongEncoding = (pairs: string): void => {
  const wrong = pairs.split('&').filter((pair) => !isUtf8(pair));
  const names = wrong.slice(0, 20).map((pair) => pair.split('=', 1)[0]?.slice(0, 100) ?? '');
  refuse(names.map((path) => ({ path, message: 'is not valid UTF-8.' })));
};

const basic = /^\s*basic\s+(\S+)\s*$/i;

/** Other header values cannot contain such texts: Node refuses control characters, and decodes bytes one by one. */
const credentialsIn = (header: string | undefined): string => {
  const encoded = header === undefined ? undefined : basic.exec(header)?.[1];
  if (encoded === undefined) return '';
  const text = decoded(Buffer.from(encoded, 'base64'));
  if (text === null) refuse([{ path: 'authorization', message: 'is not valid UTF-8.' }]);
  return text ?? '';
};

/** Checks everything except the body. Must run before any value of the request reaches the database. */
export const refuseUnreadableRequest = (request: FastifyRequest): void => {
  const { url = '' } = request.raw;
  // Without encoded bytes, every character is one that a line of HTTP may have: neither NUL nor half of a pair.
  if (url.includes('%')) refuseUnreadableUrl(url, request);
  const credentials = credentialsIn(request.headers.authorization);
  if (credentials !== '') refuseUnreadable({ authorization: credentials });
};

const refuseUnreadableUrl = (url: string, { params, query }: FastifyRequest): void => {
  // The router takes what follows either as the query.
  const start = url.search(/[?#]/);
  if (start !== -1) {
    refuseWrongEncoding(url.slice(start + 1));
    refuseUnreadable(query);
  }
  refuseUnreadable(params);
};
