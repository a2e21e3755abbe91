import { open } from 'node:fs/promises';
import { DatabaseUnavailable } from '../unavailable.ts';

/** Puts the write-ahead log on the disk; `close` when nothing is written any more. */
export interface WalFile {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * SQLite keeps one file for as long as a connection is open, so one handle is enough. It is opened after the first commit, when
 * the file exists. Its locks are on other files: closing the handle ends none of them.
 */
export function walFileOf(file: string): WalFile {
  let opened: ReturnType<typeof open> | null = null;
  return {
    async sync() {
      opened ??= open(`${file}-wal`, 'r+');
      await (await opened).datasync();
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

const lostDisk = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable('The server cannot write to its disk', {
    description:
      'The disk reported an error, so it is not known whether the change is stored. The server refuses changes until it is restarted.',
    retryAfter: 30,
    cause,
  });

/**
 * Waits until commits are on the disk, in another thread. Commits that wait at the same time share one sync: it covers
 * everything that was written to the log before it began.
 */
export class WalSync {
  readonly #file: WalFile;
  readonly #failed: () => void;
  #running: Promise<void> = Promise.resolve();
  /** The sync that has not begun yet. */
  #next: Promise<void> | null = null;
  /** For ever: after a failed sync the system may report success for pages that it has not written. */
  #failure: DatabaseUnavailable | null = null;

  /** `failed` is called once, when no write can be acknowledged any more. */
  constructor(file: WalFile, failed: () => void = () => {}) {
    this.#file = file;
    this.#failed = failed;
  }

  /** Throws if a write could not be acknowledged. */
  refuseIfFailed(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Settles when all that was committed before the call is on the disk; rejects if it may not be. */
  flush(): Promise<void> {
    this.#next ??= this.#after(this.#running);
    return this.#next;
  }

  /** Why no write can be acknowledged; null if they can. */
  get problem(): string | null {
    return this.#failure && 'The disk failed to store a change: restart the server';
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {});
    await this.#file.close().catch(() => {});
  }

  async #after(running: Promise<void>): Promise<void> {
    await running.catch(() => {});
    this.#running = this.#sync();
    this.#next = null;
    return this.#running;
  }

  async #sync(): Promise<void> {
    this.refuseIfFailed();
    try {
      await this.#file.sync();
    } catch (error) {
      this.#failure = lostDisk(error);
      this.#failed();
      throw this.#failure;
    }
  }
}
