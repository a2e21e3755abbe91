import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parameters of a call, from its address and its body. */
export type Parameters = Readonly<Record<string, string>>;

/** Passes calls on to the double unchanged, and says which. Answers those that the double does not play. */
export class Relay {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #target: URL;
  /** Runs before a call is passed on. */
  onCall: (action: string) => void = () => undefined;
  /** Calls that are answered here, by API version and action. */
  readonly answers = new Map<string, (parameters: Parameters) => Promise<object>>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
  }

  static async start(target: string): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }

  /** Keeps the host header, which is part of the signature. A call that has come is passed on even if its sender is dead. */
  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const { method, url: path, headers } = incoming;
    this.onCall(String(headers['x-acs-action']));
    const own = this.answers.get([headers['x-acs-version'], headers['x-acs-action']].join(' '));
    if (own) {
      const query = [...new URL(path ?? '', this.url).searchParams, ...new URLSearchParams(body.toString())];
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(await own(Object.fromEntries(query))));
      return;
    }
    const { hostname, port } = this.#target;
    const onward = request({ hostname, port, agent: this.#agent, method, path, headers });
    onward.end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  }
}
