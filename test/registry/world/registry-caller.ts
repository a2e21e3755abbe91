import { callHttp } from '../../http.ts';
import { mediaTypes } from './image-layout.ts';

export interface RegistryRequest {
  headers?: Record<string, string>;
  body?: string;
}

interface Login {
  username: string;
  password: string;
}

const basic = ({ username, password }: Login): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** The parameters of a challenge: `Bearer realm="…",service="…",scope="…"`. */
const parameters = (challenge: string): Map<string, string> =>
  new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));

/** Sends single requests like clients do: it answers the registry's challenge with a token of the service that it names. */
export class RegistryCaller {
  readonly url: string;
  readonly #login: Login | null;

  /** Without a login it asks for tokens as nobody. */
  constructor(url: string, login: Login | null = null) {
    this.url = url;
    this.#login = login;
  }

  async call(method: string, path: string, request: RegistryRequest = {}): Promise<Response> {
    const reply = await this.send(method, path, request);
    const challenge = reply.headers.get('www-authenticate');
    if (reply.status !== 401 || challenge === null) return reply;
    const authorization = `Bearer ${await this.token(challenge)}`;
    return this.send(method, path, { ...request, headers: { ...request.headers, authorization } });
  }

  /** Sends one request as it is. */
  send(method: string, path: string, { headers, body }: RegistryRequest = {}): Promise<Response> {
    const { index, manifest, dockerManifest, dockerList } = mediaTypes;
    return fetch(new URL(path, this.url), {
      method,
      headers: {
        accept: [index, manifest, dockerManifest, dockerList].join(', '),
        // A registry that is replaced must not be kept by an idle connection.
        connection: 'close',
        ...headers,
      },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
  }

  /** A token as the challenge asks for it. */
  async token(challenge: string): Promise<string> {
    const asked = parameters(challenge);
    const query = new URLSearchParams({ service: asked.get('service') ?? '' });
    for (const scope of asked.get('scope')?.split(' ') ?? []) query.append('scope', scope);
    const headers = this.#login ? { authorization: basic(this.#login) } : {};
    const answer = await callHttp('GET', `${asked.get('realm')}?${query.toString()}`, { headers });
    if (answer.status !== 200) throw new Error(`No token was issued: ${answer.status} ${answer.text}`);
    return (JSON.parse(answer.text) as { token: string }).token;
  }
}
