import { WebSocket } from 'ws';
import { eventually } from '../../http.ts';

/** Terminal client over a plain WebSocket. */
export class TerminalClient {
  readonly socket: WebSocket;
  /** All output so far. */
  shown = '';
  bytes = 0;
  /** Text frames received so far. */
  readonly texts: string[] = [];
  closed: number | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.texts.push(String(data));
      this.bytes += data.length;
      if (isBinary && this.shown.length < 100_000) this.shown += String(data);
    });
    socket.on('close', (code) => (this.closed = code));
    socket.on('error', () => {});
  }

  /** Rejects with the HTTP status if the upgrade fails. */
  static open(address: string): Promise<TerminalClient> {
    const socket = new WebSocket(address.replace(/^http/, 'ws'));
    const client = new TerminalClient(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(client));
      socket.once('unexpected-response', (_request, { statusCode }) => {
        reject(new Error(`refused with ${statusCode}`));
        socket.terminate();
      });
      socket.once('error', reject);
    });
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  sendJson(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  sees = (text: string): Promise<unknown> =>
    eventually(
      async () => this.shown,
      (shown) => shown.includes(text),
    );

  receives = (text: string): Promise<unknown> =>
    eventually(
      async () => this.texts,
      (texts) => texts.some((frame) => frame.includes(text)),
    );

  closes = (): Promise<number | null> =>
    eventually(
      async () => this.closed,
      (code) => code !== null,
    );
}
