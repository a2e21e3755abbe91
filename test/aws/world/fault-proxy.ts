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
 * A fault injected by our proxy, which also counts calls. The proxy forwards every call to a simulator unchanged; on
 * request it throttles, responds like a broken gateway, or hangs up. The form of these faults follows the AWS
 * documentation, because no simulator produces them.
 */
export interface Fault {
  /** `lost-answer`: the call is executed, but the response is lost. */
  kind: 'throttling' | 'outage' | 'hang-up' | 'lost-answer';
  /** The calls it affects; all if absent. */
  of?: (call: Call) => boolean;
  /** How many calls it affects; all until `clearFaults` if absent. */
  times?: number;
}

const throttlingResponse = `<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate exceeded</Message></Error><RequestId>0</RequestId></ErrorResponse>`;
/** EC2 uses another error code. */
const ec2Throttling = `<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>Request limit exceeded.</Message></Error></Errors><RequestID>0</RequestID></Response>`;
const gatewayPage = '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>';

type Sent = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
const sentOf = ({ method, url, headers }: IncomingMessage): Sent => ({ method, url, headers });

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const padded = (_: string, name: string, seconds: string) => `${name}0`.padEnd(name.length + seconds.length);

export class FaultProxy {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly #target: URL;
  readonly #requests = new WeakMap<Call, { request: Sent; body: Buffer }>();
  #faults: { fault: Fault; left: number }[] = [];
  /** Every call received, in order, including failed ones. */
  readonly calls: Call[] = [];
  /** Replaces the response to calls the simulator does not support. The simulator still checks permissions. */
  responseFor: (call: Call) => string | undefined = () => undefined;
  /** Runs before a call is forwarded. */
  onCall: (call: Call) => void = () => undefined;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, answer) => {
      this.#serve(incoming, answer).catch(() => answer.destroy());
    });
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (!address || typeof address === 'string') throw new Error('The proxy is closed.');
    return `http://127.0.0.1:${address.port}`;
  }

  inject(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await once(this.#server, 'close');
  }

  /** Sends a call again, unchanged: the simulators accept old signatures. Returns the call with its response. */
  async replay(call: Call): Promise<Call> {
    const sent = this.#requests.get(call);
    if (!sent) throw new Error('This call did not pass the proxy.');
    const { error: _, ...again } = call;
    await this.#forward(sent.request, sent.body, again);
    return again;
  }

  #faultFor(call: Call): Fault['kind'] | undefined {
    const found = this.#faults.find(({ fault, left }) => left > 0 && (fault.of?.(call) ?? true));
    if (!found) return undefined;
    found.left -= 1;
    return found.fault.kind;
  }

  async #serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const call = readCall(incoming, body);
    this.calls.push(call);
    this.#requests.set(call, { request: sentOf(incoming), body });
    this.onCall(call);
    const kind = this.#faultFor(call);
    if (kind === 'hang-up') {
      incoming.socket.destroy();
    } else if (kind === 'outage') {
      answer.writeHead(503, { 'content-type': 'text/html' }).end(gatewayPage);
    } else if (kind === 'throttling') {
      const isEc2 = call.service === 'ec2';
      answer
        .writeHead(isEc2 ? 503 : 400, { 'content-type': 'text/xml' })
        .end(isEc2 ? ec2Throttling : throttlingResponse);
    } else {
      const { headers, text } = await (call.operation === 'ReceiveMessage'
        ? this.#waitForMessages(incoming, body, call)
        : this.#forward(incoming, body, call));
      const replacement = call.status === 403 ? undefined : this.responseFor(call);
      if (kind === 'lost-answer') incoming.socket.destroy();
      else if (replacement) answer.writeHead(200, { 'content-type': 'text/xml' }).end(replacement);
      else answer.writeHead(call.status, headers).end(text);
    }
  }

  /** Waits in place of the simulator, which runs one call at a time, also while a call waits for messages. */
  async #waitForMessages(incoming: IncomingMessage, body: Buffer, call: Call) {
    // Of the same length, which a header states.
    const atOnce = Buffer.from(body.toString().replace(/("WaitTimeSeconds":)(\d+)/, padded));
    for (let turn = 0; ; turn += 1) {
      const answer = await this.#forward(incoming, atOnce, call);
      const isOver = turn === 50 || incoming.socket.destroyed || call.status >= 400;
      if (isOver || answer.text.includes('"Messages"')) return answer;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Keeps the host header, which is part of the signature. */
  async #forward(incoming: Sent, body: Buffer, call: Call) {
    const { hostname, port } = this.#target;
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
