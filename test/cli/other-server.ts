import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another server: it gives out a token of its own and writes down what it is shown. */
export class OtherServer {
  readonly shown: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.shown.push(request.headers.authorization ?? '');
    request
      .on('data', (chunk: Buffer) => this.shown.push(chunk.toString()))
      .on('end', () => {
        const token = { token_type: 'Bearer', expires_in: 3600, access_token: 'token-of-the-other' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'POST' ? token : []));
      });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}
