import { availableParallelism, totalmem } from 'node:os';

/** Limits of processing documents in other threads. */
export interface DocumentsConfig {
  maxThreads: number;
  maxSeconds: number;
  maxMegabytes: number;
  /** Memory of the machine, or of the control group that the server runs in. */
  machineMegabytes: number;
}

interface Machine {
  processors: number;
  megabytes: number;
}

/** What the server takes without them, and what each thread takes besides the values of its document. */
const serverMegabytes = 160;
const threadMegabytes = 30;
const [minMegabytes, maxMegabytes] = [24, 128];

/** For values that are soon garbage. More does not make documents faster, and a thread keeps it. */
export const youngMegabytes = (values: number): number => Math.min(16, values / 4);

/** What one thread takes at most: its program, and the values of a document. */
export const fullThreadMegabytes = ({
  maxMegabytes: values,
}: Pick<DocumentsConfig, 'maxMegabytes'>): number => 16 + values + youngMegabytes(values);

/**
 * One processor is left to the main thread. Where memory is short, there are fewer threads first, and then less memory for each:
 * the kernel ends a process that takes more than its group may.
 */
export const documentDefaults = ({
  processors,
  megabytes,
}: Machine): Pick<DocumentsConfig, 'maxThreads' | 'maxMegabytes'> => {
  const left = megabytes - serverMegabytes;
  const affordable = Math.floor(left / (threadMegabytes + maxMegabytes));
  const maxThreads = Math.max(1, Math.min(4, processors - 1, affordable));
  const share = Math.floor(left / maxThreads) - threadMegabytes;
  return { maxThreads, maxMegabytes: Math.min(maxMegabytes, Math.max(minMegabytes, share)) };
};

/** Without a limit, Node returns 0 or a number larger than any memory. */
const thisMachine = (): Machine => {
  const bytes = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return { processors: availableParallelism(), megabytes: bytes / 1024 ** 2 };
};

export const documentSettings = {
  ALM_DOCUMENT_THREADS: [
    '',
    'threads that process large documents; default: one less than the processors, from 1 to 4, as the memory allows',
  ],
  ALM_DOCUMENT_SECONDS: ['10', 'time limit of processing one document'],
  ALM_DOCUMENT_MEMORY: [
    '',
    'memory limit of processing one document, in MB, at most half of the memory; default: from 24 to 128, as the memory allows',
  ],
} as const;

type Name = keyof typeof documentSettings;

export const readDocuments = (
  read: (name: Name) => string,
  number: (name: Name, min: number, max: number) => number,
): DocumentsConfig => {
  const machine = thisMachine();
  const defaults = documentDefaults(machine);
  const numberOr = (name: Name, [min, max]: [number, number], otherwise: number): number =>
    read(name) ? Math.trunc(number(name, min, max)) : otherwise;
  return {
    maxThreads: numberOr('ALM_DOCUMENT_THREADS', [1, 64], defaults.maxThreads),
    maxSeconds: number('ALM_DOCUMENT_SECONDS', 0.01, 60),
    // A thread that is larger than what the machine leaves could never begin.
    maxMegabytes: Math.min(
      numberOr('ALM_DOCUMENT_MEMORY', [16, 4096], defaults.maxMegabytes),
      Math.max(16, Math.floor(machine.megabytes / 2)),
    ),
    machineMegabytes: machine.megabytes,
  };
};
