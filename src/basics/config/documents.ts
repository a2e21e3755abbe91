import { availableParallelism } from 'node:os';

/** Limits of processing documents in other threads. */
export interface DocumentsConfig {
  maxThreads: number;
  maxSeconds: number;
  maxMegabytes: number;
}

/** One processor is left to the main thread. */
const defaultThreads = (): number => Math.min(4, Math.max(1, availableParallelism() - 1));

type Name = 'ALM_DOCUMENT_THREADS' | 'ALM_DOCUMENT_SECONDS' | 'ALM_DOCUMENT_MEMORY';

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
