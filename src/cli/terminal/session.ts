import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../basics/clock.ts';
import { type EndingSignal, onEndingSignal } from './ending-signals.ts';
import { EscapeKeys } from './escape-keys.ts';
import type { LocalTerminal, Size } from './local-terminal.ts';

export type SessionEnd =
  | { kind: 'exit'; code: number }
  /** The service could not open the terminal, or closed it. */
  | { kind: 'refused'; reason: string }
  | { kind: 'lost' }
  | { kind: 'disconnected' }
  | { kind: 'signal'; signal: EndingSignal };

interface SessionParts {
  /** Open and paused. */
  socket: WebSocket;
  terminal: LocalTerminal;
  clock: Clock;
  /** The size sent with the request for the ticket. */
  size: Size | null;
}

/** Input is paused while more than this is unsent. */
const maxUnsentBytes = 256 * 1024;
/** The service sends a ping every 30 seconds: three missed ones mean a lost connection. */
const maxSilenceMs = 90_000;
const closeTimeoutMs = 1000;

const bytesOf = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
};

const parseMessage = (text: string): ReadonlyMap<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
};

const isExitCode = (code: unknown): code is number =>
  Number.isInteger(code) && Number(code) >= 0 && Number(code) <= 255;

/** Connects a WebSocket and a local terminal, with back-pressure in both directions. */
class Session {
  readonly #parts: SessionParts;
  readonly #escape = new EscapeKeys();
  readonly #onEnd: (end: SessionEnd) => void;
  readonly #cleanups: (() => void)[] = [];
  #cancelSilenceTimer = () => {};
  #lastReceived: number;
  #isReady = false;
  #isOver = false;

  constructor(parts: SessionParts, onEnd: (end: SessionEnd) => void) {
    const { socket, clock } = parts;
    this.#parts = parts;
    this.#onEnd = onEnd;
    this.#lastReceived = clock.now();
    socket.on('message', (data, isBinary) => this.#receive(bytesOf(data), isBinary));
    socket.on('ping', () => (this.#lastReceived = clock.now()));
    socket.once('close', () => this.#end({ kind: 'lost' }));
    this.#cleanups.push(onEndingSignal((signal) => this.#end({ kind: 'signal', signal })));
    this.#startSilenceTimer();
    socket.resume();
  }

  #receive(frame: Buffer, isBinary: boolean): void {
    this.#lastReceived = this.#parts.clock.now();
    if (this.#isOver) return;
    if (isBinary) return this.#show(frame);
    const message = parseMessage(frame.toString('utf8'));
    const [code, reason] = [message.get('exit'), message.get('error')];
    if (message.has('ready')) this.#begin();
    if (isExitCode(code)) this.#end({ kind: 'exit', code });
    if (typeof reason === 'string') this.#end({ kind: 'refused', reason });
  }

  /** Passes on input from now on; until the shell is ready, Ctrl-C ends `alm`. */
  #begin(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { terminal, size } = this.#parts;
    const now = terminal.size;
    if (now && (now.cols !== size?.cols || now.rows !== size.rows)) this.#sendSize();
    this.#cleanups.push(terminal.onResize(() => this.#sendSize()));
    terminal.read(
      (bytes) => this.#send(bytes),
      () => this.#end({ kind: 'signal', signal: 'SIGHUP' }),
    );
  }

  #sendSize(): void {
    const { terminal, socket } = this.#parts;
    if (terminal.size) socket.send(JSON.stringify({ resize: [terminal.size.cols, terminal.size.rows] }));
  }

  #show(bytes: Buffer): void {
    this.#begin();
    const { socket, terminal } = this.#parts;
    // Frames already received still arrive after a pause.
    if (terminal.write(bytes) || socket.isPaused) return;
    socket.pause();
    terminal.onceDrained(() => socket.resume());
  }

  #send(input: Buffer): void {
    const { socket, terminal } = this.#parts;
    const { bytes, disconnects } = this.#escape.filter(input);
    if (bytes.length > 0)
      socket.send(bytes, () => {
        if (socket.bufferedAmount <= maxUnsentBytes / 4) terminal.pauseInput(false);
      });
    if (socket.bufferedAmount > maxUnsentBytes) terminal.pauseInput(true);
    if (disconnects) this.#end({ kind: 'disconnected' });
  }

  /** Detects a connection that is lost without notice. Silence while the socket is paused does not count. */
  #startSilenceTimer(): void {
    const { clock, socket } = this.#parts;
    this.#cancelSilenceTimer = clock.after(maxSilenceMs / 3, () => {
      if (socket.isPaused) this.#lastReceived = clock.now();
      if (clock.now() - this.#lastReceived >= maxSilenceMs) return this.#end({ kind: 'lost' });
      this.#startSilenceTimer();
    });
  }

  #end(end: SessionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelSilenceTimer();
    for (const cleanup of this.#cleanups) cleanup();
    this.#parts.terminal.restore({ wasInterrupted: end.kind !== 'exit' });
    this.#close(end);
    this.#onEnd(end);
  }

  /** Closes cleanly when the service ended the session, within a timeout; otherwise terminates at once. */
  #close({ kind }: SessionEnd): void {
    const { socket, clock } = this.#parts;
    if (kind !== 'exit' && kind !== 'refused') return socket.terminate();
    socket.close(1000);
    const cancel = clock.after(closeTimeoutMs, () => socket.terminate());
    socket.once('close', cancel);
  }
}

/** Runs a session to its end; the local terminal is restored in every case. */
export const runSession = (parts: SessionParts): Promise<SessionEnd> =>
  new Promise((resolve) => void new Session(parts, resolve));
