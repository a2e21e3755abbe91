import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { differentId } from '../../basics/random.ts';

/** Uses the request id of the caller if it is safe in logs and headers, otherwise a new one. */
export const requestIdOf = (request: IncomingMessage): string => {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : differentId();
};

const constantHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, X-Next-Cursor, Alm-Cursor, X-Request-Id, Retry-After',
};

/** For servers whose public URL is https: browsers never use http for a year. */
export const encryptedOnly = { 'strict-transport-security': 'max-age=31536000' };

/** Sets the headers of every reply, including errors. */
export const setCommonHeaders = (reply: FastifyReply): void => {
  reply.headers(constantHeaders).header('x-request-id', reply.request.id);
};

/** Headers of the reply to a CORS preflight request. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match',
  'access-control-max-age': '86400',
};
