import type { Context } from '../command.ts';
import { type Paint, painter } from '../view/colour.ts';
import { formatTable, type Table, tableTime, type WidthOf } from '../view/table.ts';
import type { StackEvent } from './stack-calls.ts';

const header = ['EVENT', 'TIME', 'KIND', 'RESOURCE', 'TYPE', 'STATUS', 'MESSAGE'];

const rowOf = (event: StackEvent): string[] => [
  String(event.event_id),
  tableTime(event.time),
  event.kind,
  event.resource,
  event.resource_type,
  event.status,
  event.message,
];

export const eventTable = (events: readonly StackEvent[]): Table => ({ header, rows: events.map(rowOf) });

/** What is likely to come: rows written later must stand below the first ones. */
const likely = [
  '',
  'Mon, 02 Jan 2006 15:04:05 +0900',
  'resource',
  'SecurityGroupWeb01',
  'SecurityGroup',
  'UPDATE_IN_PROGRESS',
];

/** How many rows the widths are taken from. */
const measuredRows = 1000;

/** A table whose rows come one after the other. */
function growingTable(
  first: readonly StackEvent[],
  widthOf: WidthOf,
  paint: Paint,
): { head: string; row(event: StackEvent): string } {
  const rows = first.slice(-measuredRows).map(rowOf);
  const wide = header.map((title, column) =>
    title.padEnd(Math.max(...[likely, ...rows].map((row) => widthOf(row[column] ?? '')))),
  );
  // The last column is not padded.
  wide[header.length - 1] = header.at(-1) ?? '';
  const linesOf = (events: readonly StackEvent[]): string[] =>
    formatTable({ header: wide, rows: events.map(rowOf) }, widthOf, paint).split(/(?<=\n)/);
  return { head: linesOf([])[0] ?? '', row: (event) => linesOf([event])[1] ?? '' };
}

/** Writes events one by one: rows of a table; a YAML list that grows; in every form of JSON, an object on a line. */
export async function eventWriter(
  { system, args, out }: Context,
  first: readonly StackEvent[],
): Promise<(event: StackEvent) => void> {
  if (out.format === 'table') {
    const { default: widthOf } = await import('string-width');
    const paint = painter({ isTTY: !args.has('out') && system.stdoutIsTty }, system.env);
    const table = growingTable(first, widthOf, paint);
    out.data(table.head);
    return (event) => out.data(table.row(event));
  }
  if (out.format !== 'yaml') return (event) => out.data(`${JSON.stringify(event)}\n`);
  const { stringify } = await import('yaml');
  return (event) => out.data(stringify([event]));
}
