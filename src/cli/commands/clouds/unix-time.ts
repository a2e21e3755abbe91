import { tableTime } from '../../view/table.ts';

/** Seconds since 1970 as tables show times; what is no such number is shown as it is. */
export const unixTime = (seconds: string | number): string =>
  /^\d{1,11}$/.test(String(seconds))
    ? tableTime(new Date(Number(seconds) * 1000).toISOString())
    : String(seconds);
