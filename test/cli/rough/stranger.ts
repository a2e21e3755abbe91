import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked of it. */
export interface Asked {
  method: string;
  path: string;
  /** Without `Bearer`. */
  token: string;
  body: string;
}

export type Answering = (asked: Asked, response: ServerResponse) => void;

/** Our own stand-in for whatever answers at an address: it writes down what it is asked, and answers as it is told. */
export class Stranger {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  private constructor(answer: Answering) {
    this.#server = createServer((request, response) => void this.#take(request, response, answer));
  }

  static async start(answer: Answering): Promise<Stranger> {
    const stranger = new Stranger(answer);
    await new Promise<void>((resolve) => void stranger.#server.listen(0, '127.0.0.1', resolve));
    return stranger;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** `POST /v3/client`, one each. */
  get calls(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse, answer: Answering): Promise<void> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, token: (headers.authorization ?? '').replace(/^Bearer /, ''), body };
    this.asked.push(asked);
    answer(asked, response);
  }
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** An error as Almanac has them. */
export const sendRefusal = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, {
    code: `${status}0`,
    error: 'some_kind',
    message,
    description: '',
    request_id: 'request-1',
  });

/** What it gives who signs in. */
export const freshToken = (token: string) => ({
  token_type: 'Bearer',
  expires_in: 3600,
  access_token: token,
});

export const isSignIn = ({ method, path }: Asked): boolean =>
  method === 'POST' && path === '/v3/access_token';
