import { type IncomingHttpHeaders, request } from 'node:http';
import { requireDocumented } from '../documented-status.ts';
import type { Json, ServedAlmanac } from '../served-almanac.ts';
import { first } from '../served-almanac.ts';

export type Headers = Readonly<Record<string, string>>;

export interface BrowserAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  cookies: readonly string[];
  text: string;
  body: Json;
}

/** Sends exactly these headers: fetch would choose some itself. */
export const sendExactly = (
  url: string,
  { method, headers, text }: { method: string; headers: Headers; text?: string },
): Promise<BrowserAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const body = Buffer.concat(chunks).toString('utf8');
        const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json') && body !== '';
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          cookies: answer.headers['set-cookie'] ?? [],
          text: body,
          body: isJson ? (JSON.parse(body) as Json) : {},
        });
      };
      // A stream of events never ends.
      if ((answer.headers['content-type'] ?? '').includes('event-stream')) {
        answer.destroy();
        finish();
      } else answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', finish);
    });
    sent.on('error', reject).end(text);
  });

/** What a browser sends on a page of the service itself. */
export const ownPage: Headers = { 'sec-fetch-site': 'same-origin' };

/** A browser with the cookie of the service, and with the headers of the page that sends a request. */
export class SessionBrowser {
  readonly #almanac: ServedAlmanac;
  cookie = '';

  constructor(almanac: ServedAlmanac) {
    this.#almanac = almanac;
  }

  async send(
    method: string,
    path: string,
    { page = ownPage, json }: { page?: Headers; json?: unknown } = {},
  ): Promise<BrowserAnswer> {
    const answer = await sendExactly(this.#almanac.url + path, {
      method,
      headers: {
        'user-agent': 'Test browser',
        ...(this.cookie === '' ? {} : { cookie: this.cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...page,
      },
      ...(json === undefined ? {} : { text: JSON.stringify(json) }),
    });
    requireDocumented(method, path, answer.status);
    for (const line of answer.cookies)
      this.cookie = /max-age=0/i.test(line) ? '' : (line.split(';')[0] ?? '');
    return answer;
  }

  signIn = (proof: object = {}, page: Headers = ownPage): Promise<BrowserAnswer> =>
    this.send('POST', '/v3/session', {
      page,
      json: { username: first.username, password: first.password, ...proof },
    });

  /** The token in the cookie. */
  get token(): string {
    return this.cookie.slice(this.cookie.indexOf('=') + 1);
  }
}
