export interface Request {
  token?: string;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; its type is in `headers`. */
  raw?: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON; null if there is none. */
  body: Body;
  text: string;
}

export type Json = Record<string, unknown>;

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? '');

const bodyOf = ({ json, form, raw }: Request): { type?: string; text: string } | undefined => {
  if (json !== undefined) return { type: 'application/json', text: JSON.stringify(json) };
  if (form) return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return raw === undefined ? undefined : { text: raw };
};

/** One HTTP request. */
export async function callHttp<Body = Json>(
  method: string,
  url: string,
  request: Request = {},
): Promise<Answer<Body>> {
  const body = bodyOf(request);
  const response = await fetch(url, {
    method,
    headers: {
      ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
      ...(body?.type ? { 'content-type': body.type } : {}),
      ...request.headers,
    },
    // As bytes: fetch would add a Content-Type to a string.
    ...(body ? { body: Buffer.from(body.text) } : {}),
  });
  const text = await response.text();
  const parsed: unknown = text !== '' && isJson(response.headers) ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, body: parsed as Body, text };
}

/** Polls until `wanted` accepts what was read. The limit is one that only a hang reaches. */
export async function eventually<T>(
  read: () => Promise<T>,
  wanted: (found: T) => boolean,
  seconds = 240,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await read();
    if (wanted(found)) return found;
    if (Date.now() > deadline)
      throw new Error(`Condition not met after ${seconds} s; last value: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
