import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { noBody, type RawReply, type Reply, rawReply, reply } from '../binding.ts';
import { type Encoding, encodingFor } from './accept-encoding.ts';

const encoders: Readonly<Record<Encoding, (content: Buffer) => Buffer>> = {
  // Higher qualities take ten times as long for a few percent.
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (content) => gzipSync(content),
  identity: (content) => content,
};

interface Representation {
  content: Buffer;
  headers: Readonly<Record<string, string>>;
  etag: string;
}

interface FileParts {
  contentType: string;
  content: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** A file in memory that is compressed once for each encoding, when it is first asked for. */
export class CompressedFile {
  readonly #parts: FileParts;
  readonly #representations = new Map<Encoding, Representation>();

  constructor(parts: FileParts) {
    this.#parts = parts;
  }

  #as(encoding: Encoding): Representation {
    const known = this.#representations.get(encoding);
    if (known) return known;
    const content = encoders[encoding](this.#parts.content);
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    const encoded = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    const headers = { ...this.#parts.headers, ...encoded, etag, vary: 'accept-encoding' };
    const made = { content, headers, etag };
    this.#representations.set(encoding, made);
    return made;
  }

  /** 304 if the caller names a copy that is still current. */
  answer(request: { 'if-none-match'?: string; 'accept-encoding'?: string }): RawReply | Reply<never> {
    const { content, headers, etag } = this.#as(encodingFor(request['accept-encoding'] ?? ''));
    const named = (request['if-none-match'] ?? '').split(',');
    const tags = new Set(named.map((tag) => tag.trim().replace(/^W\//, '')));
    if (tags.has(etag) || tags.has('*')) return reply<never>({ status: 304, headers, body: noBody });
    return rawReply({ contentType: this.#parts.contentType, headers, body: content });
  }
}
