import { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';
import type { RequestFacts } from '../http/binding.ts';
import { type CheckedInput, inputChecker, type Received } from '../http/input.ts';

export interface SocketInput extends Pick<CheckedInput, 'params' | 'query'> {
  request: RequestFacts;
}

/** A public route that turns into a WebSocket. */
export interface SocketBinding {
  readonly route: Route;
  /** Throws a failure, which is answered as HTTP; or gives what talks from then on. */
  readonly admit: (input: SocketInput) => Promise<(socket: WebSocket) => void>;
}

/** Pasted text may be long; nobody types more than this at once. */
const largestMessage = 1024 * 1024;

/**
 * Programs also ask for protocols we do not speak, such as HTTP/2, and go on with HTTP when they are not answered. Node hands
 * over every such request once somebody listens for upgrades; this keeps it to those that want a WebSocket.
 */
export class WebSocketOrHttp extends IncomingMessage {
  declare asked: boolean | null;

  get upgrade(): boolean {
    return this.asked === true && this.method === 'GET' && /^websocket$/i.test(this.headers.upgrade ?? '');
  }

  set upgrade(asked: boolean | null) {
    this.asked = asked;
  }
}

interface Waiting {
  socket: Duplex;
  head: Buffer;
  response: ServerResponse;
}

/** The request goes the way of every other one, so that it is logged, limited and refused alike. */
function routeUpgrades(app: FastifyInstance): WeakMap<IncomingMessage, Waiting> {
  const waiting = new WeakMap<IncomingMessage, Waiting>();
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request);
    waiting.set(request, { socket, head, response });
    socket.on('error', () => socket.destroy());
    response.shouldKeepAlive = false;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server only ever has sockets
    response.assignSocket(socket as unknown as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', () => socket.end());
    app.routing(request, response);
  });
  return waiting;
}

interface Limits {
  countStranger(address: string): void;
}

const factsOf = (request: FastifyRequest): RequestFacts => ({
  id: request.id,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

/** Serves routes that become WebSockets, on the same port as all others. */
export function serveSockets(
  app: FastifyInstance,
  bindings: readonly SocketBinding[],
  limits: Limits | undefined,
): void {
  const waiting = routeUpgrades(app);
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: largestMessage,
  };
  const webSockets = new WebSocketServer(options);
  for (const { route, admit } of bindings) {
    const check = inputChecker(route);
    const handler = async (request: FastifyRequest<Received>, reply: FastifyReply): Promise<void> => {
      limits?.countStranger(request.ip);
      const input = check(request);
      const upgrade = waiting.get(request.raw);
      if (!upgrade) throw new Failure('invalid_request', 'Open this address as a WebSocket');
      const talk = await admit({ ...input, request: factsOf(request) });
      reply.hijack();
      const { socket, head, response } = upgrade;
      response.detachSocket(request.raw.socket);
      webSockets.handleUpgrade(request.raw, socket, head, (webSocket) => {
        webSocket.on('error', () => {}); // it closes as well
        talk(webSocket);
      });
    };
    const url = route.path.replace(/\{(\w+)\}/g, ':$1');
    app.route<Received>({ method: 'GET', url, config: { route }, handler });
  }
}
