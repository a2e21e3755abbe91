import {
  type AuditRow,
  existingAccounts,
  findLastAudit,
  insertAudit,
  ownersOfStacks,
} from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';
import { type Actor, type DeclaredAccess, nameOf } from '../access/access.ts';
import type { Service } from '../service.ts';
import { chainOn } from './audit-chain.ts';
import { auditedResource, type NamedParts } from './audited-resource.ts';

/** One call of a route by somebody known, as the server tells it. */
export interface Call {
  actor: Actor;
  route: { name: string; path: string; access: DeclaredAccess };
  stackId: string | null;
  /** What else it names. */
  named: NamedParts;
  readOnly: boolean;
  /** Access was refused, whatever the caller was told. */
  denied: boolean;
  status: number;
  request: { id: string; address: string };
  detail?: string;
}

interface Noted extends Omit<AuditRow, 'number' | 'hash' | 'owner'> {
  stackId: string | null;
}

/** Reads are written at the latest after this time, or when so many have come together. */
const flushMs = 1000;
const batchSize = 200;
/** While the database is away no more than these wait; what must not be lost is refused to its caller anyway. */
const maxWaiting = 10_000;

/** Agents report every few seconds, and what they report is kept as events. People seldom call for them. */
const isAudited = ({ actor, route }: Call): boolean => route.access !== 'agent' || actor.kind === 'user';

const noteOf = (
  { actor, route, stackId, named, denied, status, request, detail }: Call,
  now: number,
): Noted => ({
  account_id: actor.accountId,
  at: now,
  actor_kind: actor.kind,
  actor: nameOf(actor),
  action: typeof route.access === 'string' ? route.access : route.access.action,
  resource: auditedResource(route.path, stackId, named),
  decision: denied ? 'denied' : 'allowed',
  route: route.name,
  status,
  address: request.address,
  request_id: request.id,
  detail: detail ?? null,
  stackId,
});

type Store = Pick<Service, 'database' | 'clock'>;

async function writeAccount(store: Store, query: Query, accountId: string, notes: readonly Noted[]) {
  // Others number their entries after these, also on another server.
  await store.database.lock(query, `audit ${accountId}`);
  const stackIds = new Set(notes.flatMap(({ stackId }) => stackId ?? []));
  const owners = await ownersOfStacks(query, accountId, [...stackIds]);
  const entries = notes.map(({ stackId, ...note }) => ({ ...note, owner: owners.get(stackId ?? '') ?? '' }));
  await insertAudit(query, chainOn(await findLastAudit(query, accountId), entries));
}

/** In one transaction, accounts always in the same order: two servers never wait for each other in a circle. */
const writeNotes = (store: Store, notes: readonly Noted[]): Promise<void> =>
  store.database.transaction(async (query) => {
    const accountIds = [...new Set(notes.map((note) => note.account_id))].toSorted();
    const existing = await existingAccounts(query, accountIds);
    for (const accountId of accountIds.filter((id) => existing.has(id)))
      await writeAccount(
        store,
        query,
        accountId,
        notes.filter((note) => note.account_id === accountId),
      );
  });

/** For what is no call of its own, or must be known before it happens: on disk when this settles. */
export const recordNow = (store: Store, call: Call): Promise<void> =>
  writeNotes(store, [noteOf(call, store.clock.now())]);

/** Records who did what. Changes are on disk before their callers hear of them; reads follow together. */
export class AuditLog {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  #waiting: Noted[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | null = null;

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** Settles when the entry is as safe as it has to be; throws when a change could not be recorded. */
  async record(call: Call): Promise<void> {
    if (!isAudited(call)) return;
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift();
    this.#waiting.push(noteOf(call, this.#store.clock.now()));
    if (!call.readOnly) return this.flush();
    if (this.#waiting.length >= batchSize) this.#flushAside();
    else this.#cancelTimer ??= this.#store.clock.after(flushMs, () => this.#flushAside());
  }

  /** Writes all that waits now. One at a time, so that entries keep their order; what comes meanwhile goes together. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writeWaiting());
    return this.#writing;
  }

  async stop(): Promise<void> {
    await this.flush().catch(this.#failed);
    this.#forgetTimer();
  }

  #forgetTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #flushAside(): void {
    this.#forgetTimer();
    this.flush().catch(this.#failed);
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchSize);
      await writeNotes(this.#store, batch);
      const written = new Set(batch);
      this.#waiting = this.#waiting.filter((note) => !written.has(note));
    }
    this.#forgetTimer();
  }
}
