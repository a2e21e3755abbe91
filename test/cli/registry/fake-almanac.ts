import type { IncomingMessage, ServerResponse } from 'node:http';
import { FakeServer } from './fake.ts';

/** Fake service with the routes that `registry login` and the credential helper call. */
export class FakeAlmanac extends FakeServer {
  registryUrl: string | null = 'http://registry.example.com:5000';
  /** Valid tokens of logins. */
  readonly tokens = new Set(['login-of-ann']);
  /** Valid tokens of API clients: nobody is signed in with them. */
  readonly apiClients = new Set<string>();
  issuesRefreshTokens = true;
  sessionStatus = 200;
  #issued = 0;

  protected answer(request: IncomingMessage, reply: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '', this.url);
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const isUser = this.tokens.has(token);
    const isKnown = isUser || this.apiClients.has(token);
    if (pathname === '/v3/session') {
      const user = isUser ? { name: 'ann', namespace: 'ann' } : null;
      if (this.sessionStatus !== 200) return void reply.writeHead(this.sessionStatus).end('out of order');
      reply.end(JSON.stringify({ user, registry: { url: this.registryUrl, service: 'almanac-registry' } }));
    } else if (pathname !== '/v3/docker/token') reply.writeHead(404).end('{"message":"no such route"}');
    else if (!isKnown)
      reply.writeHead(401).end('{"error":"unauthorized","message":"The token is not valid"}');
    else reply.end(JSON.stringify({ token: 'jwt', ...(isUser ? this.#refreshToken() : {}) }));
  }

  #refreshToken(): object {
    this.#issued += 1;
    return this.issuesRefreshTokens ? { refresh_token: `refresh-${this.#issued}` } : {};
  }
}
