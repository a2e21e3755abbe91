import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another server: issues its own token and records the credentials it receives. */
export class OtherServer {
  readonly received: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.received.push(request.headers.authorization ?? '');
    request
      .on('data', (chunk: Buffer) => this.received.push(chunk.toString()))
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
