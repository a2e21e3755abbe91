import type { AuditRow } from '../../store/access/audit.ts';
import { signInAction } from './sign-ins.ts';
import { recordOther, type Store } from './write-entries.ts';

export interface FailedSignIn {
  accountId: string;
  kind: Extract<AuditRow['actor_kind'], 'user' | 'client' | 'stack'>;
  /** Null: nobody in the account has the name that was given. */
  name: string | null;
  address: string;
  /** What was wrong. Default: the password or the secret. One of a few texts, because each has its own entries. */
  reason?: string;
}

interface Window {
  failure: FailedSignIn;
  /** After the first. */
  more: number;
  addresses: Set<string>;
  cancel: () => void;
}

const windowMs = 60_000;
const maxAddresses = 1000;
/** Not a valid name of a user. */
const nobody = '-';

/**
 * Records failed sign-ins: the first one at once, the others of the next minute as one entry with their number. So nobody can fill
 * an account's log by guessing. Names that do not exist share one entry. Recording takes place after the response, because its
 * duration would reveal which names exist.
 */
export class FailedSignIns {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  readonly #windows = new Map<string, Window>();
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  note(failure: FailedSignIn): void {
    const key = JSON.stringify([failure.accountId, failure.kind, failure.name, failure.reason]);
    const open = this.#windows.get(key);
    if (open) {
      open.more += 1;
      if (open.addresses.size < maxAddresses) open.addresses.add(failure.address);
      return;
    }
    const cancel = this.#store.clock.after(windowMs, () => this.#close(key));
    this.#windows.set(key, { failure, more: 0, addresses: new Set(), cancel });
    this.#write(failure, failure.reason ?? 'wrong password or secret');
  }

  /** Settles when everything noted so far is stored. */
  written(): Promise<void> {
    return this.#writing;
  }

  async stop(): Promise<void> {
    for (const key of this.#windows.keys()) this.#close(key);
    await this.#writing;
  }

  #close(key: string): void {
    const window = this.#windows.get(key);
    this.#windows.delete(key);
    window?.cancel();
    if (!window || window.more === 0) return;
    const { failure, more, addresses } = window;
    const from = addresses.size === 1 ? '1 address' : `${addresses.size} addresses`;
    const [address = ''] = [...addresses].slice(-1);
    const what = failure.reason === undefined ? '' : `${failure.reason}: `;
    this.#write({ ...failure, address }, `${what}${more} more within a minute, from ${from}`);
  }

  #write({ accountId, kind, name, address }: FailedSignIn, detail: string): void {
    const entry = {
      account_id: accountId,
      actor_kind: kind,
      actor: name ?? nobody,
      action: signInAction,
      resource: name === null ? '/v3/access_token' : `mrn:alm:${kind}:${name}`,
      decision: 'denied',
      route: signInAction,
      status: 401,
      address,
      detail: name === null ? `${detail}; no such name` : detail,
    } as const;
    this.#writing = this.#writing.then(() => recordOther(this.#store, entry)).catch(this.#failed);
  }
}
