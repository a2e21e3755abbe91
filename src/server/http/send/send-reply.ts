import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { EndlessReply, noBody, RawReply, Reply } from '../binding.ts';
import type { Received } from '../input.ts';
import type { Recorder } from '../record-calls.ts';
import { compressJson, mayCompress } from './compress-json.ts';
import { JsonText } from './json-text.ts';

type ReceivedReply = FastifyReply<Received>;

const jsonType = 'application/json; charset=utf-8';

const sendCompressed = async (reply: ReceivedReply, { bytes }: JsonText<unknown>): Promise<void> => {
  const sent = await compressJson(reply, bytes);
  void reply.type(jsonType).send(sent);
};

const sendJson = (reply: ReceivedReply, body: unknown): void | Promise<void> => {
  const { route } = reply.request.routeOptions.config;
  const isCompressed = route !== undefined && mayCompress(route, reply.request.query);
  if (body === noBody) return void (isCompressed ? reply.header('vary', 'Accept-Encoding') : reply).send();
  const json = body instanceof JsonText ? body : new JsonText(JSON.stringify(body));
  if (route?.tagged && isKnown(reply, json)) {
    if (isCompressed) reply.header('vary', 'Accept-Encoding');
    return void reply.code(304).send();
  }
  if (isCompressed) return sendCompressed(reply, json);
  void reply.type(jsonType).send(body instanceof JsonText ? json.bytes : json.text);
};

/** Whether the caller has this text, as its header says. Weak tags: the bytes differ when the reply is compressed. */
function isKnown(reply: ReceivedReply, { tag }: JsonText<unknown>): boolean {
  // Callers that keep a copy do so themselves: no proxy or browser keeps the secrets of a stack.
  reply.header('etag', `W/"${tag}"`).header('cache-control', 'no-store');
  const known = reply.request.headers['if-none-match'];
  return known !== undefined && (known.trim() === '*' || known.includes(`"${tag}"`));
}

/** Takes the connection over from the framework, whose hooks before sending it replaces. */
const sendEndless = async (
  reply: ReceivedReply,
  { headers, contentType, start, cancel }: EndlessReply,
  record: Recorder,
): Promise<void> => {
  const { raw, request } = reply.headers(headers).type(contentType);
  try {
    await record(request, reply);
  } catch (error) {
    cancel();
    throw error;
  }
  reply.hijack();
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  if (request.method !== 'HEAD' && !raw.destroyed)
    start(raw, (err) => request.log.error({ err, request_id: request.id }, 'an error ended the reply'));
  else {
    cancel();
    raw.end();
  }
};

const sendRaw = (reply: ReceivedReply, { contentType, body }: RawReply): void => {
  const isUnreadStream = reply.request.method === 'HEAD' && body instanceof Readable;
  // Nothing reads the stream, so it would never end.
  if (isUnreadStream) body.destroy();
  void reply.type(contentType).send(isUnreadStream ? '' : body);
};

/** Sends what a handler returned. */
export const sendReply = (reply: ReceivedReply, result: unknown, record: Recorder): void | Promise<void> => {
  if (result instanceof EndlessReply) return sendEndless(reply, result, record);
  if (!(result instanceof Reply) && !(result instanceof RawReply)) return sendJson(reply, result);
  reply.headers(result.headers);
  if (result.status !== undefined) reply.code(result.status);
  return result instanceof Reply ? sendJson(reply, result.body) : sendRaw(reply, result);
};
