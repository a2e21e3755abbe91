import { isObject } from '../basics/is-object.ts';
import { noAnswer, tokenRejected, tooSlow, unavailable, unusable } from './registry-failure.ts';

/** What a registry token permits. */
export interface RegistryAccess {
  readonly type: 'repository' | 'registry';
  readonly name: string;
  readonly actions: readonly string[];
}

export interface RegistryOptions {
  /** As the server reaches it; also the name of the registry in failures. */
  readonly url: string;
  /** For one call: connection, headers and body. */
  readonly timeoutMs: number;
  readonly token: (access: readonly RegistryAccess[]) => Promise<string>;
}

export interface RegistryRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Below the address of the registry, with a query if it has one. */
  readonly path: string;
  readonly access: RegistryAccess;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer<ArrayBuffer>;
}

export interface RegistryAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer<ArrayBuffer>;
}

/** Far more than a manifest (4 MiB by the specification), a configuration or a page of names has. */
const maxBodyBytes = 16 * 1024 * 1024;

async function readLimited(response: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBodyBytes) throw unusable(url, `more than ${maxBodyBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** `error="invalid_token"` of the header, or an empty text. */
const challengeError = (headers: Headers): string =>
  /\berror="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';

async function send(options: RegistryOptions, request: RegistryRequest): Promise<RegistryAnswer> {
  const { url, timeoutMs } = options;
  const { method, path, access, headers = {}, body = null } = request;
  const authorization = `Bearer ${await options.token([access])}`;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'user-agent': 'almanac', ...headers, authorization },
      body,
      signal,
    });
    return { status: response.status, headers: response.headers, body: await readLimited(response, url) };
  } catch (error) {
    if (isTimeout(error)) throw tooSlow(url, timeoutMs);
    if (error instanceof TypeError) throw noAnswer(url, error);
    throw error;
  }
}

/** Of a registry with too much to do, or of a proxy in front of one that is being started: they end by themselves. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends a request and reads the whole answer. A rejected token and an error of the registry itself are failures. */
export async function exchange(options: RegistryOptions, request: RegistryRequest): Promise<RegistryAnswer> {
  const answer = await send(options, request);
  if (answer.status === 401 || answer.status === 403)
    throw tokenRejected(options.url, challengeError(answer.headers));
  if (passingStatuses.has(answer.status))
    throw unavailable(options.url, `status ${answer.status} for ${request.method} ${request.path}`);
  if (answer.status >= 500) throw unexpected(options, request, answer);
  return answer;
}

/** A failure for an answer with a status that the registry should not give to this request. */
export const unexpected = (
  { url }: RegistryOptions,
  { method, path }: RegistryRequest,
  { status }: RegistryAnswer,
) => unusable(url, `status ${status} for ${method} ${path}`);

/** Whether the body has errors as the specification of registries has them. */
function hasRegistryError(body: Buffer): boolean {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const errors = isObject(parsed) && Array.isArray(parsed['errors']) ? parsed['errors'] : [];
    return errors.some(
      (error) => isObject(error) && typeof error['code'] === 'string' && /^[A-Z_]+$/.test(error['code']),
    );
  } catch {
    return false;
  }
}

/** The registry says that there is no such thing. Any other web server, and a proxy with a wrong route, may also answer 404. */
export const isUnknown = ({ status, body }: RegistryAnswer): boolean =>
  status === 404 && hasRegistryError(body);
