import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A recorded request. */
export interface RecordedRequest {
  method: string;
  path: string;
  /** Without `Bearer`. */
  token: string;
  contentType: string;
  userAgent: string;
  body: string;
}

export type Handler = (request: RecordedRequest, response: ServerResponse) => void;

/** A fake server: records requests and answers with a handler. */
export class FakeServer {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;

  private constructor(handler: Handler) {
    this.#server = createServer((request, response) => void this.#handle(request, response, handler));
  }

  static async start(handler: Handler): Promise<FakeServer> {
    const server = new FakeServer(handler);
    await new Promise<void>((resolve) => void server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Recorded requests as `POST /v3/client`. */
  get calls(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const { method = '', url: path = '', headers } = request;
    const recorded = {
      method,
      path,
      token: (headers.authorization ?? '').replace(/^Bearer /, ''),
      contentType: headers['content-type'] ?? '',
      userAgent: headers['user-agent'] ?? '',
      body,
    };
    this.requests.push(recorded);
    handler(recorded, response);
  }
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Sends an error body of Almanac. */
export const sendError = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, {
    code: `${status}0`,
    error: 'some_kind',
    message,
    description: '',
    request_id: 'request-1',
  });

/** Response of the token endpoint. */
export const freshToken = (token: string) => ({
  token_type: 'Bearer',
  expires_in: 3600,
  access_token: token,
});

export const isSignIn = ({ method, path }: RecordedRequest): boolean =>
  method === 'POST' && path === '/v3/access_token';
