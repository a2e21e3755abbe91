import { parentPort } from 'node:worker_threads';
import { runJob } from './documents.ts';
import type { JobInput, JobName } from './jobs.ts';
import { type Reply, type Request, ready, replyToError } from './messages.ts';
import { packings } from './packing.ts';

/** Entry of a worker thread: does one job at a time. `worker-thread.ts` is the other side. */

const perform = <Name extends JobName>({ name, input }: { name: Name; input: JobInput<Name> }): unknown =>
  packings[name].pack(runJob(name, input));

const replyTo = (request: Request): Reply => {
  try {
    return { end: 'result', packed: perform(request) };
  } catch (error) {
    return replyToError(error);
  }
};

parentPort?.on('message', (request: Request) => parentPort?.postMessage(replyTo(request), []));
parentPort?.postMessage(ready, []);
