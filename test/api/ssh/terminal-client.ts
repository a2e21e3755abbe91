import { WebSocket } from 'ws';
import { eventually } from '../../http.ts';

/** Somebody at a terminal, over a plain WebSocket. */
export class TerminalClient {
  readonly socket: WebSocket;
  /** Everything shown so far. */
  shown = '';
  bytes = 0;
  /** Text frames, as they came. */
  readonly told: string[] = [];
  closed: number | null = null;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) this.told.push(String(data));
      this.bytes += data.length;
      if (isBinary && this.shown.length < 100_000) this.shown += String(data);
    });
    socket.on('close', (code) => (this.closed = code));
    socket.on('error', () => {});
  }

  /** Rejects with the HTTP status when there is no upgrade. */
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

  tell(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  sees = (text: string): Promise<unknown> =>
    eventually(
      async () => this.shown,
      (shown) => shown.includes(text),
    );

  hears = (text: string): Promise<unknown> =>
    eventually(
      async () => this.told,
      (told) => told.some((one) => one.includes(text)),
    );

  closes = (): Promise<number | null> =>
    eventually(
      async () => this.closed,
      (code) => code !== null,
    );
}
