import type { Clock } from '../../basics/clock.ts';
import type { Database } from '../../store/database/database.ts';
import {
  type Claim,
  claimDueStacks,
  type Lane,
  listWaitingLanes,
  type WaitingLane,
} from '../../store/stacks/schedule/claim.ts';

interface LanesParts {
  database: Database;
  clock: Clock;
  /** Of the claims. */
  owner: string;
  leaseMs: number;
  /** Places for the stacks of one credential, and of one account. */
  perLane: number;
  perAccount: number;
}

interface Waiting {
  lane: WaitingLane;
  /** Stacks that are due and that this server does not work on. */
  left: number;
}

/** How many stacks to claim of a lane. */
interface Share {
  lane: Lane;
  limit: number;
}

/** While many stacks wait, the list of their lanes is used for this long: it reads all that are due. */
const keptMs = 250;

const nameOf = ({ account_id, vendor, credential_id }: Lane): string =>
  JSON.stringify([account_id, vendor, credential_id]);

/** Shares the places of the loop: accounts take turns, and no credential and no account gets all places. */
export class Lanes {
  readonly #parts: LanesParts;
  #waiting: Waiting[] = [];
  #readAt = 0;
  /** Passes in progress, by lane and by account. */
  readonly #running = new Map<string, number>();
  /** When an account got a place last, as a number that only grows. */
  #turns = new Map<string, number>();
  #turn = 0;

  constructor(parts: LanesParts) {
    this.#parts = parts;
  }

  /** Claims due stacks for these places. The places are taken until `ended`. */
  async claim(free: number): Promise<Claim[]> {
    for (let hasRead = false; ; ) {
      let shares = this.#known(free);
      if (shares.length === 0 && !hasRead) {
        await this.#read();
        hasRead = true;
        shares = this.#share(free);
      }
      if (shares.length === 0) return [];
      const results = await Promise.allSettled(shares.map((share) => this.#claimShare(share)));
      const claims = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed && claims.length === 0) throw failed.reason;
      // Other servers may have had all of them: other lanes may wait too.
      if (claims.length > 0) return claims;
    }
  }

  /** What became due later has not been seen. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Whether others of its lane or account have to wait, whatever else the server does. */
  isFull(lane: Lane): boolean {
    const { perLane, perAccount } = this.#parts;
    return this.#of(nameOf(lane)) >= perLane || this.#of(lane.account_id) >= perAccount;
  }

  ended(claim: Claim): void {
    this.#count(claim, -1);
  }

  async #claimShare({ lane, limit }: Share): Promise<Claim[]> {
    const { database, clock, owner, leaseMs } = this.#parts;
    const now = clock.now();
    const claims = await claimDueStacks(database, { owner, now, until: now + leaseMs }, { lane, limit });
    if (claims.length < limit) this.#forget(lane);
    for (const claim of claims) this.#count(claim, 1);
    this.#turn += 1;
    this.#turns.set(lane.account_id, this.#turn);
    return claims;
  }

  /** How to fill these places, as far as is known without another read. */
  #known(free: number): Share[] {
    const age = this.#parts.clock.now() - this.#readAt;
    return age >= 0 && age < keptMs ? this.#share(free) : [];
  }

  /** The lane had fewer stacks than its share: other servers have taken them. */
  #forget(lane: Lane): void {
    const name = nameOf(lane);
    this.#waiting = this.#waiting.filter((it) => nameOf(it.lane) !== name);
  }

  #count(lane: Lane, change: 1 | -1): void {
    for (const name of [nameOf(lane), lane.account_id]) {
      const count = this.#of(name) + change;
      if (count > 0) this.#running.set(name, count);
      else this.#running.delete(name);
    }
  }

  #of(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  async #read(): Promise<void> {
    const now = this.#parts.clock.now();
    const lanes = await listWaitingLanes(this.#parts.database.query, now);
    this.#readAt = now;
    this.#waiting = lanes.map((lane) => ({ lane, left: lane.due - this.#of(nameOf(lane)) }));
    // Others have had no turn since they last waited, which is the same as never.
    const accounts = new Set(lanes.map(({ account_id: account }) => account));
    this.#turns = new Map([...this.#turns].filter(([account]) => accounts.has(account)));
  }

  /** In each round, each account gets a place, the one first that had none for the longest time. */
  #share(free: number): Share[] {
    const limits = new Map<Waiting, number>();
    const ofAccount = new Map<string, number>();
    const queue = this.#inTurn();
    for (let left = free, gave = true; left > 0 && gave; ) {
      gave = false;
      for (const lanes of queue) {
        const next = left > 0 ? lanes.find((it) => this.#hasRoom(it, { limits, ofAccount })) : undefined;
        if (!next) continue;
        const { account_id: account } = next.lane;
        limits.set(next, (limits.get(next) ?? 0) + 1);
        ofAccount.set(account, (ofAccount.get(account) ?? 0) + 1);
        left -= 1;
        gave = true;
      }
    }
    for (const [it, limit] of limits) it.left -= limit;
    return [...limits].map(([{ lane }, limit]) => ({ lane, limit }));
  }

  #hasRoom(
    it: Waiting,
    { limits, ofAccount }: { limits: ReadonlyMap<Waiting, number>; ofAccount: ReadonlyMap<string, number> },
  ): boolean {
    const { perLane, perAccount } = this.#parts;
    const { account_id: account } = it.lane;
    const given = limits.get(it) ?? 0;
    return (
      given < it.left &&
      this.#of(nameOf(it.lane)) + given < perLane &&
      this.#of(account) + (ofAccount.get(account) ?? 0) < perAccount
    );
  }

  /** The waiting lanes by account, those of an account that wait longest first. */
  #inTurn(): Waiting[][] {
    const accounts = new Map<string, Waiting[]>();
    for (const it of this.#waiting.toSorted((a, b) => a.lane.oldest - b.lane.oldest)) {
      const { account_id: account } = it.lane;
      accounts.set(account, [...(accounts.get(account) ?? []), it]);
    }
    const turnOf = ([account]: [string, Waiting[]]): number => this.#turns.get(account) ?? 0;
    return [...accounts].toSorted((a, b) => turnOf(a) - turnOf(b)).map(([, lanes]) => lanes);
  }
}
