import type { Terminal, TerminalEnd } from '../../operations/ssh/terminal.ts';

export type Frame = string | Buffer;
type Size = Parameters<Terminal['resize']>[0];

/** A message from the client. */
type ClientMessage = { input: Buffer } | { size: Size } | { reply: Frame } | null;

/** Frame format of a terminal over a WebSocket. */
export interface TerminalProtocol {
  /** Checks the first frame, if the client must send one before the terminal opens. */
  acceptsFirst?(frame: Buffer): boolean;
  ready(title: string): Frame;
  output(bytes: Buffer): Frame;
  ended(end: TerminalEnd): Frame;
  parse(frame: Buffer, isBinary: boolean): ClientMessage;
}

const parseMembers = (text: string): Map<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
};

const isCellCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1000;

const sizeOf = (columns: unknown, rows: unknown): ClientMessage =>
  isCellCount(columns) && isCellCount(rows) ? { size: { columns, rows } } : null;

/** Protocol of the v3 API: binary frames are bytes, text frames are JSON. */
export const plainProtocol: TerminalProtocol = {
  ready: (title) => JSON.stringify({ ready: { title } }),
  output: (bytes) => bytes,
  ended: (end) => JSON.stringify('reason' in end ? { error: end.reason } : { exit: end.exitCode }),
  parse(frame, isBinary) {
    if (isBinary) return { input: frame };
    const resize = parseMembers(frame.toString()).get('resize');
    return Array.isArray(resize) && resize.length === 2 ? sizeOf(resize[0], resize[1]) : null;
  },
};

const toClient = { output: '0', pong: '1', title: '2' };
const fromClient = { input: '0', ping: '1', resize: '2' };

/** GoTTY protocol of existing clients: the first character is the type of the frame. */
export const gottyProtocol = (authToken: string): TerminalProtocol => ({
  acceptsFirst: (frame) => parseMembers(frame.toString()).get('AuthToken') === authToken,
  ready: (title) => toClient.title + title,
  output: (bytes) => toClient.output + bytes.toString('base64'),
  ended(end) {
    const message = 'reason' in end ? `${end.reason}.` : `Shell ended with exit code ${end.exitCode}.`;
    return this.output(Buffer.from(`\r\n${message}\r\n`));
  },
  parse(frame) {
    const rest = frame.subarray(1);
    switch (frame.subarray(0, 1).toString()) {
      case fromClient.input:
        return { input: rest };
      case fromClient.ping:
        return { reply: toClient.pong };
      case fromClient.resize: {
        const size = parseMembers(rest.toString());
        return sizeOf(size.get('columns'), size.get('rows'));
      }
      default:
        return null;
    }
  },
});
