import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';

export interface Frame {
  stream: 'stdout' | 'stderr';
  data: Buffer;
}

const headerSize = 8;

/** Splits an engine's multiplexed stream into frames. Each frame has a header with the output's number and the length. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let rest = Buffer.concat([this.#rest, chunk]);
    while (rest.length >= headerSize && rest.length >= headerSize + rest.readUInt32BE(4)) {
      const end = headerSize + rest.readUInt32BE(4);
      frames.push({ stream: rest[0] === 2 ? 'stderr' : 'stdout', data: rest.subarray(headerSize, end) });
      rest = rest.subarray(end);
    }
    this.#rest = rest;
    return frames;
  }
}

/** Splits a multiplexed stream, written to `sink`, into both outputs. Waits for their readers. */
export function splitter(): { sink: Writable; stdout: PassThrough; stderr: PassThrough } {
  const reader = new FrameReader();
  const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
  const pass = async (chunk: Buffer) => {
    for (const { stream, data } of reader.push(chunk))
      if (!outputs[stream].write(data)) await once(outputs[stream], 'drain');
  };
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => void pass(chunk).then(() => done(), done),
    final: (done) => {
      outputs.stdout.end();
      outputs.stderr.end();
      done();
    },
  });
  return { sink, ...outputs };
}
