import type { Context } from '../command.ts';
import { type Paint, painter } from '../view/colour.ts';
import { formatTable, type Table, tableTime, type WidthOf } from '../view/table.ts';
import { yamlOptions } from '../view/yaml-options.ts';
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

export const eventTable = (events: readonly StackEvent[]): Table => ({
  header,
  rows: events.map(rowOf),
  priority: ['TIME', 'STATUS', 'RESOURCE', 'MESSAGE'],
});

/** Minimum column widths, so that later rows align with the first ones. */
const typicalRow = [
  '',
  'Mon, 02 Jan 2006 15:04:05 +0900',
  'resource',
  'SecurityGroupWeb01',
  'SecurityGroup',
  'UPDATE_IN_PROGRESS',
];

/** Number of rows the column widths are computed from. */
const maxMeasuredRows = 1000;

/** Formatter of a table whose rows arrive one by one. */
function streamingTable(
  first: readonly StackEvent[],
  widthOf: WidthOf,
  paint: Paint,
): { head: string; row(event: StackEvent): string } {
  const rows = first.slice(-maxMeasuredRows).map(rowOf);
  const wide = header.map((title, column) =>
    title.padEnd(Math.max(...[typicalRow, ...rows].map((row) => widthOf(row[column] ?? '')))),
  );
  // The last column is not padded.
  wide[header.length - 1] = header.at(-1) ?? '';
  const linesOf = (events: readonly StackEvent[]): string[] =>
    formatTable({ header: wide, rows: events.map(rowOf) }, widthOf, paint).split(/(?<=\n)/);
  return { head: linesOf([])[0] ?? '', row: (event) => linesOf([event])[1] ?? '' };
}

/** Returns a function that writes one event: a table row, a YAML list item, or for all JSON formats one object per line. */
export async function eventWriter(
  { system, args, out }: Context,
  first: readonly StackEvent[],
): Promise<(event: StackEvent) => void> {
  if (out.format === 'table') {
    const { default: widthOf } = await import('string-width');
    const paint = painter({ isTTY: !args.has('out') && system.stdoutIsTty }, system.env);
    const table = streamingTable(first, widthOf, paint);
    out.data(table.head);
    return (event) => out.data(table.row(event));
  }
  if (out.format !== 'yaml') return (event) => out.data(`${JSON.stringify(event)}\n`);
  const { stringify } = await import('yaml');
  return (event) => out.data(stringify([event], yamlOptions));
}
