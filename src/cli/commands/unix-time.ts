import { tableTime } from '../view/table.ts';

/** Formats Unix seconds as a time in a table; other values are shown unchanged. */
export const unixTime = (seconds: string | number): string =>
  /^\d{1,11}$/.test(String(seconds))
    ? tableTime(new Date(Number(seconds) * 1000).toISOString())
    : String(seconds);
