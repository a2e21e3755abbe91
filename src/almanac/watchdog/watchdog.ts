import { Worker } from 'node:worker_threads';
import { realClock } from '../../basics/clock.ts';
import { watchdogThread } from '../program-files.ts';
import { offerReport } from './frozen-report.ts';

const beatEveryMs = 250;

export interface WatchedLoop {
  /** Processor time that the event loop may take at a stretch. */
  maxSeconds: number;
  /** For the log: one of them is the cause. */
  runningRequests: () => readonly object[];
  program?: string;
  /** The watchdog itself failed. */
  onError: (error: unknown) => void;
}

/** What `thread.ts` gets. */
export interface ThreadData {
  beats: Int32Array;
  maxMs: number;
}

/**
 * Ends the process when its event loop is frozen: nothing in this thread could notice that, and its supervisor, or the other
 * servers, go on. Call the result to stop watching.
 */
export function startWatchdog({
  maxSeconds,
  runningRequests,
  onError,
  program = watchdogThread,
}: WatchedLoop): () => void {
  offerReport(runningRequests);
  const beats = new Int32Array(new SharedArrayBuffer(4));
  let cancel = (): void => {};
  const beat = (): void => {
    Atomics.add(beats, 0, 1);
    cancel = realClock.after(beatEveryMs, beat);
  };
  beat();
  const workerData: ThreadData = { beats, maxMs: maxSeconds * 1000 };
  const thread = new Worker(program, {
    name: 'watchdog',
    workerData,
    // Nothing of the settings, which contain secrets, is needed there.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
  thread.on('error', onError);
  return () => {
    cancel();
    void thread.terminate();
  };
}
