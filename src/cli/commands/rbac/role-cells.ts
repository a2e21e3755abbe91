import { tableTime } from '../../view/table.ts';

/** The first 23 characters of a scope, on one line. */
export const shortScope = (scope: string): string => {
  const line = scope.replaceAll(/\s+/g, ' ').trim();
  const [start] = /^.{23}(?=.)/su.exec(line) ?? [];
  return start === undefined ? line : `${start}...`;
};

/** A time in a table of roles; `-` when it is not a time. */
export const roleTime = (time: string): string => (Number.isNaN(Date.parse(time)) ? '-' : tableTime(time));
