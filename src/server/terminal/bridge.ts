import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type { Terminal, TerminalEnd, TerminalRequest } from '../../operations/ssh/terminal.ts';
import type { Frame, Wire } from './wires.ts';

export interface BridgeOptions {
  wire: Wire;
  open: (screen: TerminalRequest['screen']) => Promise<Terminal>;
  clock: Clock;
  /** Then the other end is told, and not waited for long. */
  stopping: AbortSignal;
  /** Told of what was not foreseen. */
  failed: (error: unknown) => void;
}

/** Beyond this the shell is held up until the other end has read some of it. */
const maxUnread = 1024 * 1024;
const pingMs = 30_000;
const lingerMs = 3_000;
const firstFrameMs = 10_000;
const closeCodes = { done: 1000, goingAway: 1001, refused: 1008, trouble: 1011 };

const bytesOf = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
};

/** What happened, and what to do about it. */
const inWords = ({ message, description }: Failure): string =>
  description === '' ? message : `${message}. ${description}`;

/** One WebSocket and one terminal: what one says, the other hears, no faster than it listens. */
export class TerminalBridge {
  readonly #socket: WebSocket;
  readonly #options: BridgeOptions;
  #terminal: Terminal | null = null;
  #isHeldUp = false;
  #answered = true;
  #cancelPing = () => {};

  constructor(socket: WebSocket, options: BridgeOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('pong', () => (this.#answered = true));
    const letGo = () => this.#linger();
    options.stopping.addEventListener('abort', letGo);
    socket.once('close', () => {
      options.stopping.removeEventListener('abort', letGo);
      this.#cancelPing();
      this.#terminal?.end('The other end hung up');
    });
    this.#ping();
    if (options.wire.opens) this.#awaitFirst();
    else void this.#open();
  }

  /** Whoever has to speak first has to do it soon. */
  #awaitFirst(): void {
    const { clock, wire } = this.#options;
    const cancel = clock.after(firstFrameMs, () => this.#close(closeCodes.refused));
    this.#socket.once('close', cancel);
    this.#socket.once('message', (data) => {
      cancel();
      if (wire.opens?.(bytesOf(data))) void this.#open();
      else this.#close(closeCodes.refused);
    });
  }

  /** Until the shell is there, what is typed waits in the socket. */
  async #open(): Promise<void> {
    const socket = this.#socket;
    socket.pause();
    try {
      const screen = { output: (bytes: Buffer) => this.#show(bytes), drained: () => socket.resume() };
      const terminal = await this.#options.open(screen);
      this.#terminal = terminal;
      this.#send(this.#options.wire.ready(terminal.title));
      socket.on('message', (data, isBinary) => this.#hear(terminal, bytesOf(data), isBinary));
      if (socket.readyState === socket.OPEN) socket.resume();
      else terminal.end('The other end hung up');
      this.#finish(await terminal.ended);
    } catch (error) {
      if (!(error instanceof Failure)) this.#options.failed(error);
      this.#finish({
        reason: error instanceof Failure ? inWords(error) : 'Something went wrong on our side',
      });
    }
  }

  #send(frame: Frame): void {
    this.#socket.send(frame, () => {
      if (!this.#isHeldUp || this.#socket.bufferedAmount > maxUnread / 4) return;
      this.#isHeldUp = false;
      this.#terminal?.resume();
    });
  }

  #show(bytes: Buffer): void {
    this.#send(this.#options.wire.output(bytes));
    if (this.#isHeldUp || this.#socket.bufferedAmount <= maxUnread) return;
    this.#isHeldUp = true;
    this.#terminal?.pause();
  }

  #hear(terminal: Terminal, frame: Buffer, isBinary: boolean): void {
    const heard = this.#options.wire.hear(frame, isBinary);
    if (heard === null) return;
    if ('size' in heard) terminal.resize(heard.size);
    else if ('answer' in heard) this.#send(heard.answer);
    else if (!terminal.write(heard.input)) this.#socket.pause();
  }

  #finish(end: TerminalEnd): void {
    this.#send(this.#options.wire.ended(end));
    if (this.#options.stopping.aborted) this.#close(closeCodes.goingAway);
    else this.#close('reason' in end ? closeCodes.trouble : closeCodes.done);
  }

  #close(code: number): void {
    this.#socket.resume();
    this.#socket.close(code);
    this.#linger();
  }

  /** Whoever does not hang up in turn is cut off. */
  #linger(): void {
    const cancel = this.#options.clock.after(lingerMs, () => this.#socket.terminate());
    this.#socket.once('close', cancel);
  }

  /** Keeps the line open through proxies, and notices when nobody is there any more. */
  #ping(): void {
    this.#cancelPing = this.#options.clock.after(pingMs, () => {
      if (!this.#answered && !this.#socket.isPaused) return this.#socket.terminate();
      this.#answered = false;
      this.#socket.ping();
      this.#ping();
    });
  }
}
