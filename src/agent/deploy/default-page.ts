import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AgentLog, reasonOf } from '../log.ts';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Server is up</title>
<h1>This server is up</h1>
<p>It has no application yet. Deploy one: add a <code>container</code> to the layer of the template, or an
<code>image</code> to the configuration of a v2 stack, and update the stack.</p>
</html>
`;

const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };

/** Health checks and a few visitors: the page must not use up what the agent needs. */
const maxConnections = 200;
const limits = { requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 5000 };

/** A page on the ports of a load balancer whose servers have no container: otherwise every health check would fail. */
export class DefaultPage {
  readonly #log: AgentLog;
  readonly #address: string | undefined;
  readonly #servers = new Map<number, Server>();
  readonly #refused = new Set<number>();

  /** `address` undefined: listens on all addresses. */
  constructor(log: AgentLog, address?: string) {
    this.#log = log;
    this.#address = address;
  }

  /** Serves on these ports only. A port that another program uses is left to it. */
  async serve(ports: readonly number[]): Promise<void> {
    for (const port of this.#servers.keys()) if (!ports.includes(port)) await this.#release(port);
    for (const port of ports) if (!this.#servers.has(port)) await this.#listen(port);
  }

  /** Releases all ports. Resolves when others can listen on them. */
  async close(): Promise<void> {
    for (const port of this.#servers.keys()) await this.#release(port);
  }

  async #listen(port: number): Promise<void> {
    const server = createServer(limits, (_, response) => response.writeHead(200, headers).end(page));
    server.maxConnections = maxConnections;
    try {
      await once(server.listen({ port, host: this.#address }), 'listening');
      // A connection that cannot be accepted, such as for lack of file descriptors, must not end the agent.
      server.on('error', (error) => this.#log(`default page on port ${port}: ${reasonOf(error)}`));
      this.#servers.set(port, server);
      this.#refused.delete(port);
    } catch (error) {
      if (!this.#refused.has(port)) this.#log(`no default page on port ${port}: ${reasonOf(error)}`);
      this.#refused.add(port);
    }
  }

  async #release(port: number): Promise<void> {
    const server = this.#servers.get(port);
    this.#servers.delete(port);
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}
