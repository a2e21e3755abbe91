import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';

export interface Frame {
  stream: 'stdout' | 'stderr';
  data: Buffer;
}

const headSize = 8;

/** Takes apart what an engine sends of a process: pieces of its two outputs, each with a head that says which and how long. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let rest = Buffer.concat([this.#rest, chunk]);
    while (rest.length >= headSize && rest.length >= headSize + rest.readUInt32BE(4)) {
      const end = headSize + rest.readUInt32BE(4);
      frames.push({ stream: rest[0] === 2 ? 'stderr' : 'stdout', data: rest.subarray(headSize, end) });
      rest = rest.subarray(end);
    }
    this.#rest = rest;
    return frames;
  }
}

/** Written with an engine's stream, gives both outputs. Waits for whoever reads them. */
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
