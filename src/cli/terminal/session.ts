import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../../basics/clock.ts';
import { type EndingSignal, onEndingSignal } from './ending-signals.ts';
import { EscapeKeys } from './escape-keys.ts';
import type { LocalTerminal, Size } from './local-terminal.ts';

export type SessionEnd =
  | { kind: 'exit'; code: number }
  /** The service could not open it, or cut it off. */
  | { kind: 'refused'; reason: string }
  | { kind: 'lost' }
  | { kind: 'hung up' }
  | { kind: 'signal'; signal: EndingSignal };

interface SessionParts {
  /** Open, and paused. */
  socket: WebSocket;
  terminal: LocalTerminal;
  clock: Clock;
  /** What the service was told when the ticket was asked for. */
  size: Size | null;
}

/** Beyond this, what is pasted waits until the service has taken some of it. */
const maxUnsent = 256 * 1024;
/** The service calls every 30 seconds. Whoever is not heard three times has gone. */
const longestSilenceMs = 90_000;
const lingerMs = 1000;

const bytesOf = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
};

const parsed = (text: string): ReadonlyMap<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
};

const isExitCode = (code: unknown): code is number =>
  Number.isInteger(code) && Number(code) >= 0 && Number(code) <= 255;

/** One WebSocket and one terminal: what one says, the other hears, no faster than it listens. */
class Session {
  readonly #parts: SessionParts;
  readonly #escape = new EscapeKeys();
  readonly #whenEnded: (end: SessionEnd) => void;
  readonly #undo: (() => void)[] = [];
  #cancelWatch = () => {};
  #lastHeard: number;
  #isReady = false;
  #isOver = false;

  constructor(parts: SessionParts, whenEnded: (end: SessionEnd) => void) {
    const { socket, clock } = parts;
    this.#parts = parts;
    this.#whenEnded = whenEnded;
    this.#lastHeard = clock.now();
    socket.on('message', (data, isBinary) => this.#hear(bytesOf(data), isBinary));
    socket.on('ping', () => (this.#lastHeard = clock.now()));
    socket.once('close', () => this.#end({ kind: 'lost' }));
    this.#undo.push(onEndingSignal((signal) => this.#end({ kind: 'signal', signal })));
    this.#watch();
    socket.resume();
  }

  #hear(frame: Buffer, isBinary: boolean): void {
    this.#lastHeard = this.#parts.clock.now();
    if (this.#isOver) return;
    if (isBinary) return this.#show(frame);
    const said = parsed(frame.toString('utf8'));
    const [code, reason] = [said.get('exit'), said.get('error')];
    if (said.has('ready')) this.#begin();
    if (isExitCode(code)) this.#end({ kind: 'exit', code });
    if (typeof reason === 'string') this.#end({ kind: 'refused', reason });
  }

  /** Only now the keys are the shell's: until it is there, Ctrl-C ends `alm`. */
  #begin(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { terminal, size } = this.#parts;
    const now = terminal.size;
    if (now && (now.cols !== size?.cols || now.rows !== size.rows)) this.#tellSize();
    this.#undo.push(terminal.onResize(() => this.#tellSize()));
    terminal.read(
      (bytes) => this.#type(bytes),
      () => this.#end({ kind: 'signal', signal: 'SIGHUP' }),
    );
  }

  #tellSize(): void {
    const { terminal, socket } = this.#parts;
    if (terminal.size) socket.send(JSON.stringify({ resize: [terminal.size.cols, terminal.size.rows] }));
  }

  #show(bytes: Buffer): void {
    this.#begin();
    const { socket, terminal } = this.#parts;
    // Frames that were on their way already still come when it is paused.
    if (terminal.show(bytes) || socket.isPaused) return;
    socket.pause();
    terminal.onceDrained(() => socket.resume());
  }

  #type(typed: Buffer): void {
    const { socket, terminal } = this.#parts;
    const { bytes, hangsUp } = this.#escape.take(typed);
    if (bytes.length > 0)
      socket.send(bytes, () => {
        if (socket.bufferedAmount <= maxUnsent / 4) terminal.holdKeys(false);
      });
    if (socket.bufferedAmount > maxUnsent) terminal.holdKeys(true);
    if (hangsUp) this.#end({ kind: 'hung up' });
  }

  /** A connection can be gone without a word. While we do not listen ourselves, silence means nothing. */
  #watch(): void {
    const { clock, socket } = this.#parts;
    this.#cancelWatch = clock.after(longestSilenceMs / 3, () => {
      if (socket.isPaused) this.#lastHeard = clock.now();
      if (clock.now() - this.#lastHeard >= longestSilenceMs) return this.#end({ kind: 'lost' });
      this.#watch();
    });
  }

  #end(end: SessionEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelWatch();
    for (const undo of this.#undo) undo();
    this.#parts.terminal.restore({ isCutOff: end.kind !== 'exit' });
    this.#leave(end);
    this.#whenEnded(end);
  }

  /** Whoever has said goodbye is given a moment to hang up; nobody else is waited for. */
  #leave({ kind }: SessionEnd): void {
    const { socket, clock } = this.#parts;
    if (kind !== 'exit' && kind !== 'refused') return socket.terminate();
    socket.close(1000);
    const cancel = clock.after(lingerMs, () => socket.terminate());
    socket.once('close', cancel);
  }
}

/** Until it ends, in whatever way; the local terminal is then as it was before. */
export const runSession = (parts: SessionParts): Promise<SessionEnd> =>
  new Promise((resolve) => void new Session(parts, resolve));
