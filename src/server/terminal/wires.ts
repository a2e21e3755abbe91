import type { Terminal, TerminalEnd } from '../../operations/ssh/terminal.ts';

export type Frame = string | Buffer;
type Size = Parameters<Terminal['resize']>[0];

/** What somebody at the other end did. */
export type Heard = { input: Buffer } | { size: Size } | { answer: Frame } | null;

/** How a terminal is spoken over a WebSocket. */
export interface Wire {
  /** What the first frame must be, where the other end speaks first. */
  opens?(first: Buffer): boolean;
  ready(title: string): Frame;
  output(bytes: Buffer): Frame;
  ended(end: TerminalEnd): Frame;
  hear(frame: Buffer, isBinary: boolean): Heard;
}

const parsed = (text: string): Map<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
};

const isCells = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1000;

const sizeOf = (columns: unknown, rows: unknown): Heard =>
  isCells(columns) && isCells(rows) ? { size: { columns, rows } } : null;

/** Ours: binary frames are bytes, text frames are JSON. */
export const plainWire: Wire = {
  ready: (title) => JSON.stringify({ ready: { title } }),
  output: (bytes) => bytes,
  ended: (end) => JSON.stringify('reason' in end ? { error: end.reason } : { exit: end.exitCode }),
  hear(frame, isBinary) {
    if (isBinary) return { input: frame };
    const resize = parsed(frame.toString()).get('resize');
    return Array.isArray(resize) && resize.length === 2 ? sizeOf(resize[0], resize[1]) : null;
  },
};

const toClient = { output: '0', pong: '1', title: '2' };
const fromClient = { input: '0', ping: '1', resize: '2' };

/** That of existing clients: one character says what the rest of a frame is. */
export const gottyWire = (authToken: string): Wire => ({
  opens: (first) => parsed(first.toString()).get('AuthToken') === authToken,
  ready: (title) => toClient.title + title,
  output: (bytes) => toClient.output + bytes.toString('base64'),
  ended(end) {
    const words = 'reason' in end ? `${end.reason}.` : `The shell ended with exit code ${end.exitCode}.`;
    return this.output(Buffer.from(`\r\n${words}\r\n`));
  },
  hear(frame) {
    const rest = frame.subarray(1);
    switch (frame.subarray(0, 1).toString()) {
      case fromClient.input:
        return { input: rest };
      case fromClient.ping:
        return { answer: toClient.pong };
      case fromClient.resize: {
        const size = parsed(rest.toString());
        return sizeOf(size.get('columns'), size.get('rows'));
      }
      default:
        return null;
    }
  },
});
