import { readFileSync, write } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { realClock } from '../../basics/clock.ts';
import { reportExpression } from './frozen-report.ts';
import type { ThreadData } from './watchdog.ts';

/** Entry of the thread that watches the event loop of the main thread. It imports little, so that it takes little memory. */

const lookEveryMs = 500;
/** For the report and the log line: a main thread in native code cannot be interrupted, and the reader of the log may be stuck. */
const maxReportMs = 1000;
const clockTickMs = 10;

const { beats, maxMs } = workerData as ThreadData;

/** After the name of the program, which is in brackets and may contain anything: the 12th and 13th value. */
const readProcessorMs = (): number => {
  const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1');
  const values = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11]) + Number(values[12])) * clockTickMs;
};

let looks = 0;

/**
 * Processor time of the main thread. It does not pass while the machine is suspended or busy with other work, the process is
 * stopped, a debugger waits, or a disk does not answer. Where the system does not tell: the looks of this thread.
 */
const processorMs = (): number => {
  try {
    return readProcessorMs();
  } catch {
    return looks * lookEveryMs;
  }
};

const session = new Session();

/** Whatever goes wrong here must not keep the process from ending. */
const askMainThread = (reply: (report: object) => void): void => {
  try {
    session.connectToMainThread();
    session.post('Runtime.evaluate', { expression: reportExpression }, (error, answer) =>
      reply(error ? {} : reportIn(answer.result.value)),
    );
  } catch {
    reply({});
  }
};

const reportIn = (value: unknown): object => {
  try {
    return JSON.parse(String(value)) as object;
  } catch {
    return {};
  }
};

/** The first process of a container ignores the signal of its own thread: then the main thread itself ends. */
const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
  try {
    session.post('Runtime.evaluate', { expression: 'process.reallyExit(137)' });
  } catch {
    // The session is not connected: there is nothing else to do.
  }
};

const msg = `the event loop was frozen for ${maxMs / 1000} s of processor time; the process ends`;

const reportAndEnd = (): void => {
  realClock.after(maxReportMs, end);
  askMainThread((report) => {
    const line = { level: 'fatal', time: new Date(realClock.now()).toISOString(), ...report, msg };
    write(1, `${JSON.stringify(line)}\n`, end);
  });
};

let lastBeat = -1;
let stuckSince: number | null = null;

const look = (): void => {
  looks += 1;
  const beat = Atomics.load(beats, 0);
  if (beat !== lastBeat) stuckSince = null;
  else stuckSince ??= processorMs();
  lastBeat = beat;
  if (stuckSince !== null && processorMs() - stuckSince >= maxMs) reportAndEnd();
  else realClock.after(lookEveryMs, look);
};

look();
