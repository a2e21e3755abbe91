import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../basics/clock.ts';
import { callerAt } from '../../../basics/net/caller-at.ts';
import type { UserRow } from '../../../store/access/accounts.ts';

const keptMs = 5 * 60_000;
const maxKept = 10_000;

interface Remembered {
  mac: Buffer;
  until: number;
}

export interface TypedPassword {
  user: Pick<UserRow, 'id' | 'password_hash'>;
  /** IP address of the caller. */
  address: string;
  password: string;
}

/**
 * The passwords that were right in the last minutes, by user and address: programs send theirs for each image, and checking one is
 * expensive on purpose. Only a keyed digest is kept, in memory. A changed password does not match. A wrong one from the same address makes
 * it forget: otherwise the throttle would not count every guess.
 */
export class RememberedPasswords {
  readonly #clock: Clock;
  readonly #key = randomBytes(32);
  /** The longest unused first. */
  readonly #kept = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(typed: TypedPassword): boolean {
    const known = this.#kept.get(this.#placeOf(typed));
    return (
      known !== undefined && known.until > this.#clock.now() && timingSafeEqual(known.mac, this.#macOf(typed))
    );
  }

  add(typed: TypedPassword): void {
    const place = this.#placeOf(typed);
    this.#kept.delete(place);
    this.#kept.set(place, { mac: this.#macOf(typed), until: this.#clock.now() + keptMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  forget(typed: Pick<TypedPassword, 'user' | 'address'>): void {
    this.#kept.delete(this.#placeOf(typed));
  }

  #placeOf({ user, address }: Pick<TypedPassword, 'user' | 'address'>): string {
    return `${user.id} ${callerAt(address)}`;
  }

  #macOf({ user, password }: TypedPassword): Buffer {
    return createHmac('sha256', this.#key).update(`${user.password_hash}\n${password}`).digest();
  }
}
