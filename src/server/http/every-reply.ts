import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { randomText } from '../../basics/random.ts';

/** The caller's own id when it is harmless to repeat in logs and headers, else a new one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomText(20);
};

const constantHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, X-Next-Cursor, X-Request-Id, Retry-After',
};

/** What every reply carries, whatever becomes of the request. */
export const setCommonHeaders = (reply: FastifyReply): void => {
  reply.headers(constantHeaders).header('x-request-id', reply.request.id);
};

/** What a browser asks for before it sends a request to another origin. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
  'access-control-max-age': '86400',
};
