import { type Kysely, sql } from 'kysely';
import { type Channel, maxPayloadBytes } from '../database.ts';
import type { Tables } from '../tables.ts';
import { oneAtATime } from './one-at-a-time.ts';

interface Notice {
  channel: Channel;
  payload: string;
}

/** Sends notifications with one statement at a time: those that come during one travel together with the next. */
export class Notifier {
  readonly #query: Kysely<Tables>;
  #waiting: Notice[] = [];
  readonly #sendAll = oneAtATime(() => this.#sendWaiting());

  constructor(query: Kysely<Tables>) {
    this.#query = query;
  }

  /** Settles after the notices were sent. One that PostgreSQL would refuse must not be among them: it would take the others with it. */
  async send(notices: readonly Notice[]): Promise<void> {
    for (const { channel, payload } of notices)
      if (Buffer.byteLength(payload) > maxPayloadBytes)
        throw new Error(`A notification of ${channel} is longer than ${maxPayloadBytes} bytes`);
    this.#waiting.push(...notices);
    return this.#sendAll();
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
