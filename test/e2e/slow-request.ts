import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../http.ts';

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() && true)).once('error', () => resolve(false));
  });

const collect = (socket: Socket): (() => string) => {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
};

/** A request with an incomplete body: the server has confirmed the head, but does not have all of the body. */
export async function sendInHalves(
  url: string,
  { path, token, body }: { path: string; token: string; body: string },
) {
  const port = Number(new URL(url).port);
  const socket = connect(port, '127.0.0.1');
  const received = collect(socket);
  await once(socket, 'connect');
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: almanac',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
  await eventually(
    async () => received(),
    (text) => text.includes('100 Continue'),
  );
  return {
    untilNotListening: () =>
      eventually(
        () => isListening(port),
        (listening) => !listening,
      ),
    /** Returns the whole response. */
    async sendRest(): Promise<string> {
      const closed = once(socket, 'close');
      socket.write(body.slice(10));
      await closed;
      return received();
    },
  };
}
