import { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';
import type { RequestFacts } from '../http/binding.ts';
import { type CheckedInput, factsOf, inputChecker, type Received } from '../http/input.ts';
import { refuseUnreadableRequest } from '../http/readable-text.ts';

export interface SocketInput extends Pick<CheckedInput, 'params' | 'query'> {
  request: RequestFacts;
}

/** A public route that is upgraded to a WebSocket. */
export interface SocketBinding {
  readonly route: Route;
  /** Throws a failure, which becomes an HTTP reply, or returns the handler of the open socket. */
  readonly admit: (input: SocketInput) => Promise<(socket: WebSocket) => void>;
}

/** Large enough for pasted text. */
const maxMessageBytes = 1024 * 1024;

/**
 * Clients may request an upgrade to other protocols, such as HTTP/2, and continue with HTTP/1.1 if it is ignored. With an
 * `upgrade` listener, Node passes all such requests to it; this class limits them to WebSockets.
 */
export class WebSocketOrHttp extends IncomingMessage {
  declare wantsUpgrade: boolean | null;

  get upgrade(): boolean {
    return (
      this.wantsUpgrade === true && this.method === 'GET' && /^websocket$/i.test(this.headers.upgrade ?? '')
    );
  }

  set upgrade(wantsUpgrade: boolean | null) {
    this.wantsUpgrade = wantsUpgrade;
  }
}

interface PendingUpgrade {
  socket: Duplex;
  head: Buffer;
  response: ServerResponse;
}

/** Routes upgrade requests like all others, so that logging, rate limits and errors apply. */
function routeUpgrades(app: FastifyInstance): WeakMap<IncomingMessage, PendingUpgrade> {
  const pending = new WeakMap<IncomingMessage, PendingUpgrade>();
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request);
    pending.set(request, { socket, head, response });
    socket.on('error', () => socket.destroy());
    response.shouldKeepAlive = false;
    response.assignSocket(socket as unknown as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', () => socket.end());
    app.routing(request, response);
  });
  return pending;
}

interface Limits {
  countAnonymous(address: string): void;
}

/** Serves WebSocket routes on the same port as all other routes. */
export function serveSockets(
  app: FastifyInstance,
  bindings: readonly SocketBinding[],
  limits: Limits | undefined,
): void {
  const pending = routeUpgrades(app);
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  };
  const webSockets = new WebSocketServer(options);
  for (const { route, admit } of bindings) {
    const check = inputChecker(route);
    const handler = async (request: FastifyRequest<Received>, reply: FastifyReply): Promise<void> => {
      limits?.countAnonymous(request.ip);
      refuseUnreadableRequest(request);
      const input = check(request);
      const upgrade = pending.get(request.raw);
      if (!upgrade) throw new Failure('invalid_request', 'This route requires a WebSocket connection');
      const handleSocket = await admit({ ...input, request: factsOf(request) });
      reply.hijack();
      const { socket, head, response } = upgrade;
      response.detachSocket(request.raw.socket);
      webSockets.handleUpgrade(request.raw, socket, head, (webSocket) => {
        webSocket.on('error', () => {}); // 'close' follows
        handleSocket(webSocket);
      });
    };
    const url = route.path.replace(/\{(\w+)\}/g, ':$1');
    app.route<Received>({ method: 'GET', url, config: { route }, handler });
  }
}
