import { EngineError } from './errors.ts';
import { bytesOf, type Call, callName, chunksOf, type Reply, send } from './wire.ts';

/** How the groups of calls reach the engine. */
export interface Connection {
  reply(call: Call): Promise<Reply>;
  /** For calls whose answer is their status alone. */
  status(call: Call): Promise<number>;
  json<T>(call: Call): Promise<T>;
  bytes(call: Call): Promise<Buffer>;
  /** Answers that are many JSON objects, one to a line. An `error` among them is thrown: its status was good by then. */
  lines<T>(call: Call): AsyncGenerator<T>;
  /** Reads such an answer to its end. */
  drain(call: Call): Promise<void>;
}

/** The newest version of the interface we know; engines from 2025 on speak no older one. And the oldest we ask for. */
const versions = { newest: 44, oldest: 41 };

async function findPrefix(socketPath: string): Promise<string> {
  const call: Call = { method: 'GET', path: '/_ping' };
  const { headers, body } = await send(socketPath, '', call);
  await bytesOf(call, body);
  const offered = Number(String(headers['api-version']).split('.')[1] ?? 0);
  return `/v1.${offered >= versions.newest ? versions.newest : versions.oldest}`;
}

/** Asks once, and again after it failed. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return async () => {
    try {
      answer ??= ask();
      return await answer;
    } catch (error) {
      answer = undefined;
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
      yield refuseError(JSON.parse(line), call) as T;
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
    json: async <T>(call: Call) => JSON.parse((await bytes(call)).toString()) as T,
    drain: async (call) => {
      const all = lines(call);
      while (!(await all.next()).done);
    },
  };
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

function refuseError(line: { error?: string }, call: Call): unknown {
  if (!line.error) return line;
  const status = /not found|manifest unknown|does not exist/i.test(line.error) ? 404 : 500;
  throw new EngineError(status, line.error, callName(call));
}

/** A name as a part of an address. Slashes of image names stay. */
export const inPath = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
