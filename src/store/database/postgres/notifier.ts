import { type Kysely, sql } from 'kysely';
import { type Channel, maxPayloadBytes } from '../database.ts';
import type { Tables } from '../tables.ts';

interface Notice {
  channel: Channel;
  payload: string;
}

/** Sends notifications with one statement at a time: those that come during one travel together with the next. */
export class Notifier {
  readonly #query: Kysely<Tables>;
  #waiting: Notice[] = [];
  #sending: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(query: Kysely<Tables>) {
    this.#query = query;
  }

  /** Settles after the notices were sent. One that PostgreSQL would refuse must not be among them: it would take the others with it. */
  async send(notices: readonly Notice[]): Promise<void> {
    for (const { channel, payload } of notices)
      if (Buffer.byteLength(payload) > maxPayloadBytes)
        throw new Error(`A notification of ${channel} is longer than ${maxPayloadBytes} bytes`);
    this.#waiting.push(...notices);
    if (this.#next) return this.#next;
    if (!this.#sending) return this.#begin();
    const begin = () => this.#begin();
    this.#next = this.#sending.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = null;
    const sending = this.#sendWaiting().finally(() => {
      if (this.#sending === sending) this.#sending = null;
    });
    this.#sending = sending;
    return sending;
  }

  async #sendWaiting(): Promise<void> {
    const notices = this.#waiting;
    this.#waiting = [];
    const channels = notices.map(({ channel }) => channel);
    const payloads = notices.map(({ payload }) => payload);
    await sql`select pg_notify(channel, payload)
      from unnest(${channels}::text[], ${payloads}::text[]) as notice (channel, payload)`.execute(
      this.#query,
    );
  }
}
