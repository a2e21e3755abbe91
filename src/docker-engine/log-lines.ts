import { type LogStream, parseLogTime } from '../basics/text/log-line.ts';
import type { Connection } from './connection.ts';
import type { ContainerLogLine, LogLinesRequest } from './container-types.ts';
import { FrameReader } from './frames.ts';
import { type Call, chunksOf } from './wire.ts';

/** More of a line than anyone is shown; the rest is not kept in memory. */
const maxKeptLength = 16_384;

/** Collects the lines of one output, whose pieces end anywhere, also inside a character. */
class LineReader {
  readonly #decoder = new TextDecoder();
  #rest = '';

  push(data: Buffer): string[] {
    const lines = (this.#rest + this.#decoder.decode(data, { stream: true })).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, maxKeptLength);
    return lines;
  }

  end(): string[] {
    return this.#rest === '' ? [] : [this.#rest];
  }
}

/** `<time> <text>`, as engines write it with `timestamps`. */
function lineOf(stream: LogStream, line: string): ContainerLogLine[] {
  const space = line.indexOf(' ');
  const time = parseLogTime(space < 0 ? line : line.slice(0, space));
  const text = space < 0 ? '' : line.slice(space + 1).replace(/\r$/, '');
  return time === undefined ? [] : [{ time, stream, text }];
}

/** Engines take seconds with a fraction. */
const asUnixTime = (time: string): string => `${Math.floor(Date.parse(time) / 1000)}.${time.slice(20, 29)}`;

export async function* logLines(
  connection: Connection,
  path: string,
  { lines, since, follow, signal }: LogLinesRequest,
): AsyncGenerator<ContainerLogLine> {
  const query = {
    stdout: 'true',
    stderr: 'true',
    timestamps: 'true',
    tail: String(lines),
    follow: String(follow),
    ...(since === null ? {} : { since: asUnixTime(since) }),
  };
  const call: Call = { method: 'GET', path, query, signal, ...(follow ? { idleTimeoutMs: 0 } : {}) };
  const readers = { stdout: new LineReader(), stderr: new LineReader() };
  const frames = new FrameReader();
  // The engine's `since` includes the time itself.
  const isNew = ({ time }: ContainerLogLine): boolean => since === null || time > since;
  for await (const chunk of chunksOf(call, (await connection.reply(call)).body))
    for (const { stream, data } of frames.push(chunk))
      yield* readers[stream]
        .push(data)
        .flatMap((line) => lineOf(stream, line))
        .filter(isNew);
  for (const stream of ['stdout', 'stderr'] as const)
    yield* readers[stream]
      .end()
      .flatMap((line) => lineOf(stream, line))
      .filter(isNew);
}
