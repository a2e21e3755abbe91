import type { Socket } from 'node:net';
import { Failure } from '../../basics/failure.ts';
import { randomText } from '../../basics/random.ts';
import { errorReply } from './error-reply.ts';

const statusLines: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The data is not valid HTTP, so there is no request to reply to: writes the error body to the socket. */
export const answerMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomText(20);
  const failure = new Failure('invalid_request', 'The request is malformed');
  const { body } = errorReply(failure, { requestId, oauth: false, usedBasic: false });
  const content = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${statusLines[error.code ?? ''] ?? '400 Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(content)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      content,
    ].join('\r\n'),
  );
};
