import { type Actor, nameOf } from '../access/access.ts';
import type { DeclaredAccess } from '../access/may-call.ts';
import { auditedResource, type NamedParts } from './audited-resource.ts';
import { Gaps } from './gap.ts';
import { type PendingEntry, type Store, writeEntries } from './write-entries.ts';

/** One call of a route by an authenticated actor, as reported by the server. */
export interface Call {
  actor: Actor;
  route: { name: string; path: string; access: DeclaredAccess };
  stackId: string | null;
  /** Other resources the call names. */
  named: NamedParts;
  readOnly: boolean;
  /** Access was denied, even if the response says "not found". */
  denied: boolean;
  status: number;
  request: { id: string; address: string };
  detail?: string;
}

/** Read requests are written after this time, or when a batch is full. */
const flushMs = 1000;
const batchSize = 200;
/** Limit of entries that wait during a database outage. Beyond it, calls wait for the database, and are counted if it fails. */
const maxPending = 10_000;

/** Agents report every few seconds, and their reports are stored as events; only users on agent routes are audited. */
const isAudited = ({ actor, route }: Call): boolean => route.access !== 'agent' || actor.kind === 'user';

/** The id identifies the token; the name is for people. */
const personalTokenOf = (actor: Actor): string | null =>
  actor.kind === 'user' && actor.personalToken
    ? `${actor.personalToken.id} ${actor.personalToken.name}`
    : null;

const entryOf = (
  { actor, route, stackId, named, denied, status, request, detail }: Call,
  now: number,
): PendingEntry => ({
  account_id: actor.accountId,
  at: now,
  actor_kind: actor.kind,
  actor: nameOf(actor),
  client_id: actor.clientId,
  client_kind: actor.clientKind,
  action: typeof route.access === 'string' ? route.access : route.access.action,
  resource: auditedResource(route.path, stackId, named),
  decision: denied ? 'denied' : 'allowed',
  route: route.name,
  status,
  address: request.address,
  request_id: request.id,
  detail: detail ?? null,
  token: personalTokenOf(actor),
  stackId,
});

/** Records a call immediately: stored when the promise settles. For calls that must be recorded before they take effect. */
export const recordNow = (store: Store, call: Call): Promise<void> =>
  writeEntries(store, [entryOf(call, store.clock.now())]);

/** Audit log. Changes are stored before their response is sent; reads are stored in batches. */
export class AuditLog {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  #pending: PendingEntry[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | null = null;
  readonly #gaps = new Gaps();
  /** The write that calls wait for while the queue is full. */
  #makingRoom: Promise<void> | null = null;
  #isWritingBatches = false;

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** A change is stored when the promise settles, which fails if it could not be. A read is queued: mostly at once. */
  record(call: Call): void | Promise<void> {
    if (!isAudited(call)) return;
    const entry = entryOf(call, this.#store.clock.now());
    return this.#pending.length < maxPending ? this.#add(call, entry) : this.#addWithRoom(call, entry);
  }

  async #addWithRoom(call: Call, entry: PendingEntry): Promise<void> {
    try {
      await this.#makeRoom();
    } catch (error) {
      this.#pending.push(...this.#gaps.count(entry));
      if (call.readOnly) return;
      throw error;
    }
    return this.#add(call, entry);
  }

  #add(call: Call, entry: PendingEntry): void | Promise<void> {
    this.#pending.push(entry);
    if (!call.readOnly) return this.flush();
    if (this.#pending.length >= batchSize) this.#writeFullBatches();
    else this.#flushLater();
  }

  /** Writes all pending entries. Flushes run one after another, so that entries keep their order. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writePending());
    return this.#writing;
  }

  /** True: everything is stored. */
  async stop(): Promise<boolean> {
    await this.flush().catch(this.#failed);
    this.#clearTimer();
    return this.#pending.length === 0;
  }

  #makeRoom(): Promise<void> {
    this.#makingRoom ??= this.flush().finally(() => {
      this.#makingRoom = null;
    });
    return this.#makingRoom;
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #flushLater(): void {
    this.#cancelTimer ??= this.#store.clock.after(flushMs, () => {
      this.#clearTimer();
      this.flush().catch(this.#failed);
    });
  }

  /** The rest waits for more, so that each transaction is worth its wait for the disk. */
  #writeFullBatches(): void {
    if (this.#isWritingBatches) return;
    this.#isWritingBatches = true;
    this.#writing = this.#writing
      .catch(() => {})
      .then(() => this.#writePending(batchSize))
      .finally(() => {
        this.#isWritingBatches = false;
        if (this.#pending.length > 0) this.#flushLater();
      });
    this.#writing.catch(this.#failed);
  }

  async #writePending(atLeast = 1): Promise<void> {
    while (this.#pending.length >= atLeast) {
      const batch = this.#pending.slice(0, batchSize);
      const written = new Set(batch);
      const putBack = this.#gaps.close(written);
      await writeEntries(this.#store, batch).catch((error: unknown) => {
        putBack();
        throw error;
      });
      this.#pending = this.#pending.filter((entry) => !written.has(entry));
    }
    this.#clearTimer();
  }
}
