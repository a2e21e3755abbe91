import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { rig } from './rig.ts';

interface Catalog {
  token?: { catalog: { type: string; endpoints: { url: string }[] }[] };
}

const heatPath = '/heat';

const bodyOf = async (message: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? null : Buffer.concat(chunks);
};

const passedOn = ['x-auth-token', 'content-type', 'accept'] as const;

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const sent = passedOn.map((name) => [name, headers[name]]);
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** Keystone and Heat, as a server of Almanac sees them: all requests to Heat pass here. The other services are called directly. */
export class Front {
  readonly #server: Server;
  #heat = '';
  /** Called when Heat has done what a request asks for; Almanac gets the answer after it. */
  onDone: (method: string) => Promise<void> = async () => undefined;

  private constructor() {
    this.#server = createServer((incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
  }

  static async start(): Promise<Front> {
    const front = new Front();
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    const address = this.#server.address();
    if (!address || typeof address === 'string') throw new Error('The front is closed.');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = incoming;
    const isHeat = url.startsWith(heatPath);
    const target = isHeat ? this.#heat + url.slice(heatPath.length) : rig.authUrl + url;
    const sent = { method, headers: headersOf(incoming), body: await bodyOf(incoming) };
    const response = await fetch(target, { ...sent, redirect: 'manual' });
    const text = await response.text();
    if (isHeat && response.ok) await this.onDone(method);
    for (const name of ['content-type', 'x-subject-token']) {
      const value = response.headers.get(name);
      if (value !== null) answer.setHeader(name, value);
    }
    answer.writeHead(response.status).end(isHeat ? text : this.#withHeatHere(text));
  }

  /** The catalog says where Heat is. */
  #withHeatHere(text: string): string {
    const body = JSON.parse(text) as Catalog;
    const heat = body.token?.catalog.find(({ type }) => type === 'orchestration');
    for (const endpoint of heat?.endpoints ?? []) {
      const { origin, pathname } = new URL(endpoint.url);
      this.#heat = origin;
      endpoint.url = this.url + heatPath + pathname;
    }
    return JSON.stringify(body);
  }
}
