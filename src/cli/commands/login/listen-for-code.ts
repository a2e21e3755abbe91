import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../basics/clock.ts';
import { CliError } from '../../cli-error.ts';
import { stripControls } from '../../view/colour.ts';

const waitMinutes = 5;

interface CodeListener {
  redirectUri: string;
  /** Settles when the browser returns with the result of the sign-in. */
  code: Promise<string>;
  close(): void;
}

interface Result {
  resolve: (code: string) => void;
  reject: (error: CliError) => void;
}

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
};

/** Other pages in the browser can call this address too: only the right state counts, and others do not end the wait. */
const receive =
  (state: string, { resolve, reject }: Result) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname !== '/done' || searchParams.get('state') !== state)
      return answer(response, 400, 'This is not the reply to the sign-in that alm waits for.');
    const code = searchParams.get('code');
    if (code !== null) {
      answer(response, 200, 'You are signed in. You can close this window.');
      return resolve(code);
    }
    const reason = stripControls(searchParams.get('error_description') ?? searchParams.get('error') ?? '');
    answer(response, 400, `The sign-in failed. ${reason}`);
    reject(new CliError('signIn', `The sign-in failed. ${reason}`.trim()));
  };

/** Listens on a free port of this machine, which nobody else can reach, until the browser returns. */
export async function listenForCode(clock: Clock, state: string): Promise<CodeListener> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let cancel = (): void => {};
  const code = new Promise<string>((resolve, reject) => {
    server.on('request', receive(state, { resolve, reject }));
    const late = new CliError('noAnswer', `Nobody signed in within ${waitMinutes} minutes.`, {
      hints: ['alm login --browser'],
    });
    cancel = clock.after(waitMinutes * 60_000, () => reject(late));
  });
  // The caller may fail before it waits for the code.
  code.catch(() => {});
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`,
    code,
    close: () => {
      cancel();
      server.close();
      server.closeIdleConnections();
    },
  };
}
