import { describe, expect, it } from 'vitest';
import { agreeWithDatabase } from '../../src/almanac/database-clock.ts';
import { VirtualClock } from '../../src/basics/clock.ts';
import { recordLog } from '../api/served-almanac.ts';
import { onPostgres } from '../open-database.ts';
import { usePostgres } from '../store/database/use-postgres.ts';

const tenMinutes = 600_000;
/** The tests of a busy machine delay each other. */
const aMoment = 60_000;

describe.runIf(onPostgres)('servers on one PostgreSQL', () => {
  const used = usePostgres();

  it('use its time, however wrong the clocks of their machines are, and warn about these', async () => {
    const { log, lines } = recordLog();
    const fast = new VirtualClock(Date.now() + tenMinutes);
    const right = new VirtualClock(Date.now());
    const times = [fast, right].map((base) => agreeWithDatabase(used.database, base, log));
    const [first, second] = await Promise.all(times);
    if (!first || !second) throw new Error('no times');
    expect(Math.abs(first.clock.now() - second.clock.now())).toBeLessThan(aMoment);
    expect(lines.filter((line) => line.includes("differs from the database's"))).toHaveLength(1);
    expect(lines.join('')).toContain('"skew_seconds":600');
    first.stopClock();
    second.stopClock();
  });

  it('notice within a minute that a clock was set', async () => {
    const { log, lines } = recordLog();
    let set = 0;
    const machine = new VirtualClock(Date.now());
    const base = { now: () => machine.now() + set, after: machine.after.bind(machine) };
    const time = await agreeWithDatabase(used.database, base, log);
    expect(time.skewMs()).toBeLessThan(aMoment);
    set = -tenMinutes;
    machine.advance(60_000);
    await expect.poll(() => lines.length).toBe(1);
    expect(time.skewMs()).toBeLessThan(aMoment - tenMinutes + 60_000);
    expect(Math.abs(time.clock.now() - Date.now())).toBeLessThan(aMoment);
    time.stopClock();
  });
});
