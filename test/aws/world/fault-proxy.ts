import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Call, readCall } from './read-call.ts';

/**
 * OUR OWN fake of AWS on a bad day, and a counter of calls. It stands before a simulator and passes every call on as it
 * is; on request it throttles, answers as a broken gateway does, or hangs up. What these look like is taken from AWS's
 * documentation, not from a simulator somebody else wrote: no simulator does any of them.
 */
export interface Fault {
  /** `lost-answer`: the call is carried out, but the caller never hears of it. */
  kind: 'throttling' | 'outage' | 'hang-up' | 'lost-answer';
  /** Which calls meet it; all when absent. */
  of?: (call: Call) => boolean;
  /** How many of them; all until `calm` when absent. */
  times?: number;
}

const throttlingAnswer = `<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error><RequestId>0</RequestId></ErrorResponse>`;
/** EC2 says it in words of its own. */
const ec2Throttling = `<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>Request limit exceeded.</Message></Error></Errors><RequestID>0</RequestID></Response>`;
const gatewayPage = '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>';

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

export class FaultProxy {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #behind: URL;
  #troubles: { trouble: Fault; left: number }[] = [];
  /** Every call that came, in order, also those that met trouble. */
  readonly calls: Call[] = [];
  /** Answers of our own, where the simulator has none; whether the caller may ask is still the simulator's to say. */
  responseFor: (call: Call) => string | undefined = () => undefined;
  /** Told of each before it goes on. */
  onCall: (call: Call) => void = () => undefined;

  private constructor(behind: string) {
    this.#behind = new URL(behind);
    this.#server = createServer((incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
  }

  static async before(behind: string): Promise<FaultProxy> {
    const front = new FaultProxy(behind);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    const address = this.#server.address();
    if (!address || typeof address === 'string') throw new Error('The front is closed.');
    return `http://127.0.0.1:${address.port}`;
  }

  trouble(trouble: Fault): void {
    this.#troubles.push({ trouble, left: trouble.times ?? Number.POSITIVE_INFINITY });
  }

  calm(): void {
    this.#troubles = [];
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }

  #troubleFor(call: Call): Fault['kind'] | undefined {
    const found = this.#troubles.find(({ trouble, left }) => left > 0 && (trouble.of?.(call) ?? true));
    if (!found) return undefined;
    found.left -= 1;
    return found.trouble.kind;
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const call = readCall(incoming, body);
    this.calls.push(call);
    this.onCall(call);
    const kind = this.#troubleFor(call);
    if (kind === 'hang-up') {
      incoming.socket.destroy();
    } else if (kind === 'outage') {
      answer.writeHead(503, { 'content-type': 'text/html' }).end(gatewayPage);
    } else if (kind === 'throttling') {
      const isEc2 = call.service === 'ec2';
      answer
        .writeHead(isEc2 ? 503 : 400, { 'content-type': 'text/xml' })
        .end(isEc2 ? ec2Throttling : throttlingAnswer);
    } else {
      const { headers, text } = await this.#passOn(incoming, body, call);
      const own = call.status === 403 ? undefined : this.responseFor(call);
      if (kind === 'lost-answer') incoming.socket.destroy();
      else if (own) answer.writeHead(200, { 'content-type': 'text/xml' }).end(own);
      else answer.writeHead(call.status, headers).end(text);
    }
  }

  /** The host's name stays as the caller signed it. */
  async #passOn(incoming: IncomingMessage, body: Buffer, call: Call) {
    const { hostname, port } = this.#behind;
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, agent: this.#agent, method, path, headers });
    onward.end(body);
    const [response] = (await once(onward, 'response')) as [IncomingMessage];
    const text = await bodyOf(response);
    call.status = response.statusCode ?? 0;
    if (call.status >= 400) call.error = text.toString();
    return { headers: response.headers, text };
  }
}
