// What a part found: as a table, or for `run.mjs`, which makes one table of all parts.
import { appendFileSync } from 'node:fs';

const columns = ['work', 'figure', 'of the baseline', 'CPU ms each', 'PostgreSQL', 'p50 ms', 'p99 ms'];

const text = (value, digits) => (value === undefined ? '' : value.toFixed(digits));

const cells = ({ name, value, unit, isBaseline, ratio, cpu, databaseCpu, p50, p99 }) => [
  name,
  `${text(value, value < 10 ? 1 : 0)} ${unit}`,
  isBaseline ? 'baseline' : ratio === undefined ? '' : `${text(ratio, 3)}×`,
  text(cpu, 3),
  text(databaseCpu || undefined, 3),
  text(p50, 1),
  text(p99, 1),
];

/** Markdown, so that it can be copied into a page. */
export function printTable(rows) {
  const lines = [columns, ...rows.map(cells)];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const draw = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  console.log(draw(lines[0]));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const line of lines.slice(1)) console.log(draw(line));
}

/** `ratio` is against the baseline that the same part measured. */
export function report(part, rows) {
  if (!process.env.BENCH_OUT) return printTable(rows);
  for (const row of rows) appendFileSync(process.env.BENCH_OUT, `${JSON.stringify({ part, ...row })}\n`);
}
