import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { Route } from '../../../contract/route.ts';
import { type Encoding, encodingFor } from './accept-encoding.ts';

/** Smaller replies fit into a few packets, compressed or not. */
const minBytes = 4096;

const [asBrotli, asGzip] = [promisify(brotliCompress), promisify(gzip)];

/** In threads of their own: a large reply must not hold up the others. */
const encoders: Readonly<Record<Exclude<Encoding, 'identity'>, (text: Buffer) => Promise<Buffer>>> = {
  // Higher qualities take longer than the network saves.
  br: (text) =>
    asBrotli(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => asGzip(text, { level: 4 }),
};

/** Whether the reply to this request holds no secret, as its route declares. */
export const mayCompress = ({ compressed }: Route, query: Readonly<Record<string, unknown>>): boolean =>
  compressed === true || (compressed !== undefined && query['view'] === compressed.view);

/** Two encodings of one text have different bytes, so they share only a weak tag. */
function weakenTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
}

/** Returns what to send: the text itself, or its compressed form if it is large and the caller accepts one. */
export async function compressJson(reply: FastifyReply, bytes: Buffer): Promise<Buffer> {
  reply.header('vary', 'Accept-Encoding');
  const encoding = encodingFor(reply.request.headers['accept-encoding'] ?? '');
  // Also of the uncompressed form: a cache compares the tags of all of them.
  weakenTag(reply);
  if (encoding === 'identity' || bytes.length < minBytes) return bytes;
  const compressed = await encoders[encoding](bytes);
  reply.header('content-encoding', encoding);
  return compressed;
}
