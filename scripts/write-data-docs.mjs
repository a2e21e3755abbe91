// Writes the table of docs/data.md from docs/data-table/<vendor>.json; part of `npm run docs`. `--print`: writes nothing, prints the page.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const docs = new URL('../docs/', import.meta.url);
const page = new URL('data.md', docs);
const start = '<!-- table: written by scripts/write-data-docs.mjs -->';
const end = '<!-- end of the table -->';

const vendorNames = {
  aws: 'AWS',
  alicloud: 'Alibaba Cloud',
  openstack: 'OpenStack',
  docker: 'docker',
  sandbox: 'sandbox',
};
const parts = {
  database: 'database',
  cache: 'Redis cache',
  files: 'persistent files',
  shared: 'shared files',
  disk: 'disk of a server',
};

function readVendors() {
  const files = readdirSync(new URL('data-table/', docs));
  return Object.keys(vendorNames)
    .filter((vendor) => files.includes(`${vendor}.json`))
    .map((vendor) => {
      const rows = JSON.parse(readFileSync(new URL(`data-table/${vendor}.json`, docs), 'utf8'));
      return { name: vendorNames[vendor], rows };
    });
}

/** One row for all kinds of stores to which the same happens on every vendor. */
function rowsOf(verb, vendors) {
  const byCells = new Map();
  for (const [part, label] of Object.entries(parts)) {
    const cells = vendors.map(({ rows }) => rows[verb]?.[part]);
    if (cells.every((cell) => cell === undefined)) continue;
    const text = cells.map((cell) => cell ?? 'not run').join(' | ');
    byCells.set(text, [...(byCells.get(text) ?? []), label]);
  }
  const isEvery = (labels) => labels.length === Object.keys(parts).length;
  return [...byCells].map(
    ([cells, labels], index) =>
      `| ${index === 0 ? verb : ''} | ${isEvery(labels) ? 'every store' : labels.join(', ')} | ${cells} |`,
  );
}

function table() {
  const vendors = readVendors();
  const verbs = new Set(vendors.flatMap(({ rows }) => Object.keys(rows)));
  const header = ['What happens', 'Store', ...vendors.map(({ name }) => name)];
  return [
    `| ${header.join(' | ')} |`,
    `|${'---|'.repeat(header.length)}`,
    ...[...verbs].flatMap((verb) => rowsOf(verb, vendors)),
  ].join('\n');
}

function withTable(text) {
  const [before, rest, ...more] = text.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined || more.length > 0)
    throw new Error(`docs/data.md needs "${start}" and "${end}", once.`);
  return `${before}${start}\n\n${table()}\n\n${end}${after}`;
}

const written = withTable(readFileSync(page, 'utf8'));
if (process.argv.includes('--print')) process.stdout.write(written);
else writeFileSync(page, written);
