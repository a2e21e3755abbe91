import { EngineError, EngineUnreachable } from './errors.ts';
import { bytesOf, type Call, callName, chunksOf, type Reply, send } from './wire.ts';

/** Requests to the engine, by the kind of response they expect. */
export interface Connection {
  reply(call: Call): Promise<Reply>;
  /** For requests whose response is a status alone. */
  status(call: Call): Promise<number>;
  json<T>(call: Call): Promise<T>;
  bytes(call: Call): Promise<Buffer>;
  /** Responses of one JSON object per line. Throws an `error` line: the HTTP status is sent before the error occurs. */
  lines<T>(call: Call): AsyncGenerator<T>;
  /** Reads such a response to its end. */
  drain(call: Call): Promise<void>;
}

/** Minor versions of the engine API. Engines released since 2025 support none older than `newest`. */
const versions = { newest: 44, oldest: 41 };

async function findPrefix(socketPath: string): Promise<string> {
  const call: Call = { method: 'GET', path: '/_ping' };
  const { headers, body } = await send(socketPath, '', call);
  await bytesOf(call, body);
  const offered = Number(String(headers['api-version']).split('.')[1] ?? 0);
  return `/v1.${offered >= versions.newest ? versions.newest : versions.oldest}`;
}

/** Caches a result. A failed call is not cached. */
function once<T>(call: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return async () => {
    try {
      result ??= call();
      return await result;
    } catch (error) {
      result = undefined;
      throw error;
    }
  };
}

export function connect(socketPath: string): Connection {
  const prefix = once(() => findPrefix(socketPath));
  const reply = async (call: Call) => send(socketPath, await prefix(), call);
  const bytes = async (call: Call) => bytesOf(call, (await reply(call)).body);
  async function* lines<T>(call: Call): AsyncGenerator<T> {
    for await (const line of linesIn(chunksOf(call, (await reply(call)).body)))
      yield throwError(JSON.parse(line), call) as T;
  }
  return {
    reply,
    bytes,
    lines,
    status: async (call) => {
      const { status, body } = await reply(call);
      await bytesOf(call, body);
      return status;
    },
    json: async <T>(call: Call) => parseJson(call, await bytes(call)) as T,
    drain: async (call) => {
      const all = lines(call);
      while (!(await all.next()).done);
    },
  };
}

function parseJson(call: Call, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw new EngineUnreachable(
      `The container engine sent no complete response to ${callName(call)}.`,
      error,
    );
  }
}

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

function throwError(line: { error?: string }, call: Call): unknown {
  if (!line.error) return line;
  const status = /not found|manifest unknown|does not exist/i.test(line.error) ? 404 : 500;
  throw new EngineError(status, line.error, callName(call));
}

/** Encodes a name for a URL path. Keeps the slashes of image names. */
export const encodePath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
