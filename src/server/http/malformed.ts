import type { Socket } from 'node:net';
import { Failure } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import { errorReply } from './error-reply.ts';
import { type MethodsAt, pathOnly } from './unrouted.ts';

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: unknown;
}

const requestLine = /^([A-Z]{1,32}) (\/\S*) HTTP\/1\.[01]\r?\n/;

/** A method that Node does not know is not malformed: it gets 405 where the path exists. */
const unknownMethod = (
  error: ParserError,
  allowedAt: MethodsAt,
): { method: string; allowed: string } | null => {
  if (error.code !== 'HPE_INVALID_METHOD') return null;
  const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
  const [, method, url] = requestLine.exec(packet) ?? [];
  const allowed = allowedAt(pathOnly(url ?? ''));
  return method === undefined || allowed.length === 0 ? null : { method, allowed: allowed.join(', ') };
};

const write = (
  socket: Socket,
  statusLine: string,
  { failure, allow }: { failure: Failure; allow?: string },
) => {
  const requestId = randomText(20);
  const { body } = errorReply(failure, { requestId, style: null, usedBasic: false });
  const content = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${statusLine}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(content)}`,
      `X-Request-Id: ${requestId}`,
      ...(allow === undefined ? [] : [`Allow: ${allow}`]),
      'Connection: close',
      '',
      content,
    ].join('\r\n'),
  );
};

/** The data is not valid HTTP, so there is no request to reply to: writes the error body to the socket. */
export const answerMalformed =
  (allowedAt: MethodsAt) =>
  (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const unknown = unknownMethod(error, allowedAt);
    if (unknown) {
      const failure = new Failure('method_not_allowed', `${unknown.method} is not allowed`);
      write(socket, '405 Method Not Allowed', { failure, allow: unknown.allowed });
      return;
    }
    const failure = new Failure('invalid_request', 'The request is malformed');
    write(socket, statusLines[error.code ?? ''] ?? '400 Bad Request', { failure });
  };
