import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Terminal, TerminalEnd, TerminalRequest } from '../../operations/ssh/terminal.ts';
import type { Frame, TerminalProtocol } from './protocols.ts';

interface BridgeOptions {
  protocol: TerminalProtocol;
  open: (screen: TerminalRequest['screen']) => Promise<Terminal>;
  clock: Clock;
  /** Aborted when the server stops; then the connection is closed soon. */
  stopping: AbortSignal;
  /** Called with unexpected errors. */
  onError: (error: unknown) => void;
}

/** Number of bytes sent but not received, above which the shell is paused. */
const maxUnread = 1024 * 1024;
const pingMs = 30_000;
const closeTimeoutMs = 3_000;
const firstFrameTimeoutMs = 10_000;
const closeCodes = { done: 1000, goingAway: 1001, rejected: 1008, failed: 1011 };

const disconnected = 'The client closed the connection';

const bytesOf = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
};

/** Error message with its advice. */
const formatFailure = ({ message, description }: Failure): string =>
  description === '' ? message : `${message}. ${description}`;

/** Connects a WebSocket to a terminal, with backpressure in both directions. */
export class TerminalBridge {
  readonly #socket: WebSocket;
  readonly #options: BridgeOptions;
  #terminal: Terminal | null = null;
  #isPaused = false;
  #receivedPong = true;
  #cancelPing = () => {};

  constructor(socket: WebSocket, options: BridgeOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('pong', () => (this.#receivedPong = true));
    const onStop = () => this.#terminateLater();
    options.stopping.addEventListener('abort', onStop);
    socket.once('close', () => {
      options.stopping.removeEventListener('abort', onStop);
      this.#cancelPing();
      this.#terminal?.end(disconnected);
    });
    this.#ping();
    if (options.protocol.acceptsFirst) this.#awaitFirstFrame();
    else void this.#open();
  }

  #awaitFirstFrame(): void {
    const { clock, protocol } = this.#options;
    const cancel = clock.after(firstFrameTimeoutMs, () => this.#close(closeCodes.rejected));
    this.#socket.once('close', cancel);
    this.#socket.once('message', (data) => {
      cancel();
      if (protocol.acceptsFirst?.(bytesOf(data))) void this.#open();
      else this.#close(closeCodes.rejected);
    });
  }

  /** Input waits in the socket until the shell is open. */
  async #open(): Promise<void> {
    const socket = this.#socket;
    socket.pause();
    try {
      const screen = { output: (bytes: Buffer) => this.#output(bytes), drained: () => socket.resume() };
      const terminal = await this.#options.open(screen);
      this.#terminal = terminal;
      this.#send(this.#options.protocol.ready(terminal.title));
      socket.on('message', (data, isBinary) => this.#receive(terminal, bytesOf(data), isBinary));
      if (socket.readyState === socket.OPEN) socket.resume();
      else terminal.end(disconnected);
      this.#finish(await terminal.ended);
    } catch (error) {
      if (!(error instanceof Failure)) this.#options.onError(error);
      this.#finish({ reason: error instanceof Failure ? formatFailure(error) : 'Internal server error' });
    }
  }

  #send(frame: Frame): void {
    this.#socket.send(frame, () => {
      if (!this.#isPaused || this.#socket.bufferedAmount > maxUnread / 4) return;
      this.#isPaused = false;
      this.#terminal?.resume();
    });
  }

  #output(bytes: Buffer): void {
    this.#send(this.#options.protocol.output(bytes));
    if (this.#isPaused || this.#socket.bufferedAmount <= maxUnread) return;
    this.#isPaused = true;
    this.#terminal?.pause();
  }

  #receive(terminal: Terminal, frame: Buffer, isBinary: boolean): void {
    const message = this.#options.protocol.parse(frame, isBinary);
    if (message === null) return;
    if ('size' in message) terminal.resize(message.size);
    else if ('reply' in message) this.#send(message.reply);
    else if (!terminal.write(message.input)) this.#socket.pause();
  }

  #finish(end: TerminalEnd): void {
    this.#send(this.#options.protocol.ended(end));
    if (this.#options.stopping.aborted) this.#close(closeCodes.goingAway);
    else this.#close('reason' in end ? closeCodes.failed : closeCodes.done);
  }

  #close(code: number): void {
    this.#socket.resume();
    this.#socket.close(code);
    this.#terminateLater();
  }

  /** Terminates the connection if the client does not close it. */
  #terminateLater(): void {
    const cancel = this.#options.clock.after(closeTimeoutMs, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  /** Keeps the connection open through proxies and detects lost connections. */
  #ping(): void {
    this.#cancelPing = this.#options.clock.after(pingMs, () => {
      if (!this.#receivedPong && !this.#socket.isPaused) return this.#socket.terminate();
      this.#receivedPong = false;
      this.#socket.ping();
      this.#ping();
    });
  }
}
