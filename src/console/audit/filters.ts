import type { QueryOf } from '../../contract/route.ts';
import type { listAudit } from '../../contract/v3/audit.ts';
import { addressOf, pages } from '../address/pages.ts';

/** What the address of the audit page may say. */
export type Search = Readonly<Record<string, string>>;

type Query = QueryOf<typeof listAudit>;

const names = ['actor', 'action', 'resource', 'from', 'to'] as const;

/** The filters of the address, for the list and for the export. */
export function filtersOf(search: Search): Query {
  const { decision } = search;
  return {
    ...Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))),
    ...(decision === 'allowed' || decision === 'denied' ? { decision } : {}),
  };
}

/** The same as a command; `audit list` or `audit export`. */
export function commandOf(verb: 'list' | 'export', search: Search): string {
  const flags = Object.entries(filtersOf(search)).map(([name, value]) => ` --${name} '${String(value)}'`);
  return `alm audit ${verb}${flags.join('')}`;
}

/** The address of one entry: a list that begins with it. */
export const entryAddress = ({ number, time }: { number: number; time: string }): string =>
  addressOf(pages.audit, null, {
    entry: String(number),
    to: new Date(Date.parse(time) + 1).toISOString(),
  });

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** An ISO time as a field of the browser has it, in the time zone of the browser. */
export function fieldTime(iso: string | undefined): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** The ISO time of such a field; undefined if it is empty. */
export function isoTime(field: string): string | undefined {
  const time = new Date(field);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
