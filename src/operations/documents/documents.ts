import { type JobInput, type JobName, type JobResult, jobs } from './jobs.ts';
import type { Request } from './messages.ts';
import { packings } from './packing.ts';
import type { WorkerPool } from './worker-pool.ts';

interface DocumentJob<Name extends JobName> {
  input: JobInput<Name>;
  /** Length of the documents, on which time and memory depend. */
  size: number;
  /** Callers with the same name share their turn; the account. */
  caller: string;
}

/** Does the work on documents that callers send. Fails as the job does, or if the job takes too much time or memory. */
export interface Documents {
  run<Name extends JobName>(name: Name, job: DocumentJob<Name>): Promise<JobResult<Name>>;
  close(): Promise<void>;
}

export const runJob = <Name extends JobName>(name: Name, input: JobInput<Name>): JobResult<Name> =>
  (jobs[name] as (input: JobInput<Name>) => JobResult<Name>)(input);

/** Does everything in this thread. */
export const inlineDocuments: Documents = {
  run: async (name, { input }) => runJob(name, input),
  close: async () => {},
};

/**
 * Longer documents are compiled in another thread. Shorter ones take this thread less time than the most hostile text of
 * this length needs to be noticed; sending them to another thread would double the time of an ordinary request.
 */
const maxInlineSize = 4096;

export const pooledDocuments = (pool: WorkerPool): Documents => ({
  run: async (name, { input, size, caller }) => {
    if (size <= maxInlineSize) return runJob(name, input);
    const packed = await pool.run({ name, input } as Request, caller);
    return packings[name].unpack(packed);
  },
  close: () => pool.close(),
});
