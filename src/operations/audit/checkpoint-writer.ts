import { appendFile } from 'node:fs/promises';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';
import type { SealingKeys, Secret } from '../../basics/secret.ts';
import { accountsToAudit, findLastAudit } from '../../store/access/audit.ts';
import type { Database } from '../../store/database/database.ts';
import { type Checkpoint, checkpointLine } from './checkpoint.ts';
import { signingKeyOf } from './checkpoint-key.ts';

export interface CheckpointOptions {
  database: Database;
  clock: Clock;
  keys: () => SealingKeys;
  file: string;
  /** Null: none. */
  webhook: Secret | null;
  everyMs: number;
  failed: (error: unknown) => void;
}

const webhookAttempts = 3;
const webhookTimeoutMs = 10_000;

/** Lines for all accounts whose chain has another end than the last time. */
export async function newCheckpoints(
  { database, clock, keys }: Pick<CheckpointOptions, 'database' | 'clock' | 'keys'>,
  kind: Checkpoint['kind'],
  written: Map<string, string>,
): Promise<Map<string, string>> {
  const key = signingKeyOf(keys()[0]);
  const lines = new Map<string, string>();
  for (const account of await accountsToAudit(database.query)) {
    const last = await findLastAudit(database.query, account);
    if (!last || written.get(account) === last.hash) continue;
    lines.set(account, checkpointLine(key, { kind, account, last, now: clock.now() }));
    written.set(account, last.hash);
  }
  return lines;
}

/** Only its owner can read it, and every write is at its end, so that several servers can share it. */
export const appendCheckpoints = (file: string, lines: Iterable<string>): Promise<void> =>
  appendFile(file, [...lines].join(''), { mode: 0o600, flush: true });

/** Signs the end of every chain from time to time. Each server does so for all accounts. Requests never wait for it. */
export class CheckpointWriter {
  readonly #options: CheckpointOptions;
  /** Hash of the last checkpoint by account. */
  readonly #written = new Map<string, string>();
  /** The latest checkpoint of each account that the webhook does not have yet. */
  readonly #unsent = new Map<string, string>();
  readonly #stopping = new AbortController();
  #cancelTimer = () => {};
  #working: Promise<void> = Promise.resolve();
  #coveredAt: number;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    this.#coveredAt = options.clock.now();
  }

  /** Time since the file had a checkpoint of the end of every chain, or since the start. */
  ageMs(): number {
    return this.#options.clock.now() - this.#coveredAt;
  }

  start(): void {
    this.#working = this.#write().finally(() => {
      if (!this.#stopping.signal.aborted)
        this.#cancelTimer = this.#options.clock.after(this.#options.everyMs, () => this.start());
    });
  }

  /** Settles when the checkpoints of this round are stored and sent. */
  settled(): Promise<void> {
    return this.#working;
  }

  /** Signs the last entries too. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer();
    await this.#working;
    await this.#write();
  }

  async #write(): Promise<void> {
    const { file, failed } = this.#options;
    try {
      const began = this.#options.clock.now();
      const lines = await newCheckpoints(this.#options, 'checkpoint', this.#written);
      if (lines.size > 0) await appendCheckpoints(file, lines.values());
      this.#coveredAt = began;
      for (const [account, line] of lines) this.#unsent.set(account, line);
      await this.#send();
    } catch (error) {
      this.#written.clear();
      failed(error);
    }
  }

  /** What could not be sent is sent with the next checkpoints. */
  async #send(): Promise<void> {
    const { webhook, clock } = this.#options;
    if (!webhook || this.#unsent.size === 0) return this.#unsent.clear();
    const sent = new Map(this.#unsent);
    for (let attempt = 1; ; attempt += 1) {
      const problem = await post(webhook, [...sent.values()].join(''));
      if (problem === null) break;
      if (attempt === webhookAttempts || this.#stopping.signal.aborted)
        return this.#options.failed(new Error(`The webhook for audit checkpoints failed: ${problem}`));
      await pause(clock, 1000 * 2 ** attempt, this.#stopping.signal);
    }
    for (const [account, line] of sent) if (this.#unsent.get(account) === line) this.#unsent.delete(account);
  }
}

/** Returns what went wrong, without the URL, which may contain a secret. */
async function post(webhook: Secret, body: string): Promise<string | null> {
  try {
    const answer = await fetch(webhook.reveal(), {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(webhookTimeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? null : `status ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'unreachable';
  }
}
