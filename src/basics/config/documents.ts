import { availableParallelism } from 'node:os';

/** Limits of processing documents in other threads. */
export interface DocumentsConfig {
  maxThreads: number;
  maxSeconds: number;
  maxMegabytes: number;
}

/** One processor is left to the main thread. */
const defaultThreads = (): number => Math.min(4, Math.max(1, availableParallelism() - 1));

export const documentSettings = {
  ALM_DOCUMENT_THREADS: [
    '',
    'threads that process large documents; default: one less than the processors, from 1 to 4',
  ],
  ALM_DOCUMENT_SECONDS: ['10', 'time limit of processing one document'],
  ALM_DOCUMENT_MEMORY: ['256', 'memory limit of processing one document, in MB'],
} as const;

type Name = keyof typeof documentSettings;

export const readDocuments = (
  read: (name: Name) => string,
  number: (name: Name, min: number, max: number) => number,
): DocumentsConfig => ({
  maxThreads: read('ALM_DOCUMENT_THREADS')
    ? Math.trunc(number('ALM_DOCUMENT_THREADS', 1, 64))
    : defaultThreads(),
  maxSeconds: number('ALM_DOCUMENT_SECONDS', 0.01, 60),
  maxMegabytes: Math.trunc(number('ALM_DOCUMENT_MEMORY', 16, 4096)),
});
