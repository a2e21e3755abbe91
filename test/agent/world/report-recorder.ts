import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '../../http.ts';

/** Stands between an agent and the service, and keeps what the agent reports. */
export class ReportRecorder {
  readonly reports: Json[] = [];
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((request, reply) => void this.#forward(target, request, reply));
  }

  async #forward(target: string, request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await text(request);
    const { authorization, 'content-type': type } = request.headers;
    const response = await fetch(new URL(request.url ?? '', target), {
      method: request.method ?? 'GET',
      headers: { ...(authorization ? { authorization } : {}), ...(type ? { 'content-type': type } : {}) },
      ...(body === '' ? {} : { body }),
    });
    if (request.url === '/v3/alm/agent/agent_status' && response.ok)
      this.reports.push(JSON.parse(body) as Json);
    reply.writeHead(response.status).end(await response.text());
  }

  static async to(url: string): Promise<ReportRecorder> {
    const recorder = new ReportRecorder(url);
    await new Promise<void>((done) => recorder.#server.listen(0, '127.0.0.1', done));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
