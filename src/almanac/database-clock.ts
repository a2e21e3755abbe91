import type { Clock } from '../basics/clock.ts';
import type { Log } from '../basics/log.ts';
import type { Database } from '../store/database/database.ts';
import { readDatabaseTime } from '../store/database/database-time.ts';

const everyMs = 60_000;
/** Less is not corrected: time goes on evenly where the clocks are good. */
const toleratedMs = 100;
/** From here on the operator should know. */
const warnFromMs = 2_000;

/** The clock of a server, and how far its machine's clock is ahead of the database's. */
export interface AgreedTime {
  clock: Clock;
  skewMs: () => number;
  stopClock: () => void;
}

/** The clock as it is, such as the one of SQLite's only server. */
export const ownTime = (clock: Clock): AgreedTime => ({ clock, skewMs: () => 0, stopClock: () => {} });

interface Measured {
  skewMs: number;
  /** The answer was on its way for this time; the skew may be wrong by half of it. */
  tookMs: number;
}

async function measure(database: Database, base: Clock): Promise<Measured> {
  const asked = base.now();
  const theirs = await readDatabaseTime(database);
  const answered = base.now();
  return { skewMs: (asked + answered) / 2 - theirs, tookMs: answered - asked };
}

/**
 * Servers on one PostgreSQL compare leases and write the audit log together, so their times must agree: all use its clock. It is asked at
 * the start and every minute; between two questions the machine's own clock goes on.
 */
export async function agreeWithDatabase(database: Database, base: Clock, log: Log): Promise<AgreedTime> {
  let skewMs = 0;
  let cancel = (): void => {};
  const correct = async () => {
    const found = await measure(database, base);
    if (Math.abs(found.skewMs - skewMs) <= toleratedMs + found.tookMs / 2) return;
    skewMs = found.skewMs;
    if (Math.abs(skewMs) >= warnFromMs)
      log.warn(
        { skew_seconds: Math.round(skewMs / 100) / 10 },
        "the clock of this machine differs from the database's, whose time is used; set it right, for example with NTP",
      );
  };
  const keepCorrecting = (): void => {
    cancel = base.after(
      everyMs,
      () =>
        void correct()
          .catch(() => {})
          .then(keepCorrecting),
    );
  };
  await correct();
  keepCorrecting();
  const clock: Clock = {
    now: () => Math.round(base.now() - skewMs),
    after: (ms, callback) => base.after(ms, callback),
  };
  return { clock, skewMs: () => skewMs, stopClock: () => cancel() };
}
