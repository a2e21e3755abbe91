import { CompiledQuery, type Kysely } from 'kysely';
import type { Query } from '../database.ts';
import type { Tables } from '../tables.ts';

type Work<T> = (transaction: Query) => Promise<T>;

interface Member {
  work: Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** What its caller gets to know when the group is on the disk. */
  settle: () => void;
}

/** Readers wait until a group ends. */
const maxMembers = 100;
const maxMs = 10;

const savepoint = CompiledQuery.raw('savepoint member');
const release = CompiledQuery.raw('release savepoint member');
const undo = CompiledQuery.raw('rollback to savepoint member');

/**
 * Runs transactions that wait at the same time as one: SQLite has one writer, and what takes longest is to wait for the disk,
 * once for each commit. A transaction that fails is undone alone. Callers hear of their result after the commit.
 */
export class GroupCommit {
  readonly #query: Kysely<Tables>;
  readonly #waiting: Member[] = [];
  #isRunning = false;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject, settle: () => {} });
      if (!this.#isRunning) void this.#runGroups();
    }) as Promise<T>;
  }

  async #runGroups(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#runGroup();
    this.#isRunning = false;
  }

  /** Settles when the next group may begin: it need not wait until this one is on the disk. */
  #runGroup(): Promise<void> {
    return new Promise((ended) => {
      const members: Member[] = [];
      const group = this.#query.transaction().execute(async (transaction) => {
        await this.#runMembers(transaction, members);
        ended();
      });
      void this.#settle(group, members).then(ended);
    });
  }

  /** If the group cannot be committed or put on the disk, all its members fail. */
  async #settle(group: Promise<void>, members: readonly Member[]): Promise<void> {
    try {
      await group;
    } catch (error) {
      // Without a member, the transaction did not begin, and would not for the others either.
      for (const { reject } of members.length > 0 ? members : this.#waiting.splice(0)) reject(error);
      return;
    }
    for (const { settle } of members) settle();
  }

  async #runMembers(transaction: Query, members: Member[]): Promise<void> {
    const deadline = performance.now() + maxMs;
    for (let member = this.#waiting.shift(); member; member = this.#waiting.shift()) {
      members.push(member);
      // If the first one fails there is nothing else to keep: its error ends the transaction.
      if (members.length === 1) await perform(transaction, member);
      else await performApart(transaction, member);
      if (members.length >= maxMembers || performance.now() > deadline) return;
    }
  }
}

async function perform(transaction: Query, member: Member): Promise<void> {
  const value = await member.work(transaction);
  member.settle = () => member.resolve(value);
}

/** In a savepoint of its own. */
async function performApart(transaction: Query, member: Member): Promise<void> {
  await transaction.executeQuery(savepoint);
  try {
    await perform(transaction, member);
  } catch (error) {
    member.settle = () => member.reject(error);
    // Fails if SQLite has rolled back everything, for example because the disk is full: then all members fail.
    await transaction.executeQuery(undo).catch(() => {
      throw error;
    });
  }
  await transaction.executeQuery(release);
}
