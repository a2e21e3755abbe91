import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Reply {
  body: string;
  headers?: Readonly<Record<string, string>>;
}

const send = (response: ServerResponse, { body, headers = {} }: Reply): void => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
  // A stream stays open.
  if (headers['content-type'] === 'text/event-stream') response.write(body);
  else response.end(body);
};

/** Serves these replies by path until the end of the test, on another port of the host that Almanac is served at. */
export async function serveOtherSite(replies: Readonly<Record<string, Reply>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => send(response, replies[url] ?? { body: '' }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
