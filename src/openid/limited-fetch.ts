import type { CustomFetchOptions } from 'openid-client';

/** Metadata, keys and tokens have a few kilobytes. */
const maxBytes = 1024 * 1024;

const tooLarge = (): TypeError =>
  new TypeError(`The answer of the OpenID provider is larger than ${maxBytes} bytes`);

async function readAll(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(); // leaving the loop ends the connection
    chunks.push(new Uint8Array(chunk));
  }
  return new Blob(chunks);
}

/** `fetch` for the OpenID library, which reads answers of any size into memory. */
export async function limitedFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const answer = await fetch(url, options as RequestInit);
  if (!answer.body) return answer;
  const { status, statusText, headers } = answer;
  return new Response(await readAll(answer.body), { status, statusText, headers });
}
