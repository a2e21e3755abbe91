import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { type Part, parts } from './world.ts';

type Cells = Partial<Record<Part, string>>;
type Rows = Record<string, Cells>;

const folder = new URL('../../../docs/data-table/', import.meta.url);
const fileOf = (vendor: string): URL => new URL(`${vendor}.json`, folder);

const readRows = (vendor: string): Rows | undefined =>
  existsSync(fileOf(vendor)) ? (JSON.parse(readFileSync(fileOf(vendor), 'utf8')) as Rows) : undefined;

const inOrder = (cells: Cells): Cells =>
  Object.fromEntries(parts.flatMap((part) => (cells[part] === undefined ? [] : [[part, cells[part]]])));

/** What happened to each kind of store, for docs/data.md. */
export class DataTable {
  readonly #verbs: readonly string[];
  readonly #rows: Rows = {};
  #vendor = '';

  /** `verbs`: in the order of the table. */
  constructor(verbs: readonly string[]) {
    this.#verbs = verbs;
  }

  /** With ALM_WRITE_DATA_TABLE=1, writes the cell at once: on a slow vendor, one run may not reach all of them. */
  note(vendor: string, { verb, part, fate }: { verb: string; part: Part; fate: string }): void {
    this.#vendor = vendor;
    this.#rows[verb] = { ...this.#rows[verb], [part]: fate };
    if (process.env['ALM_WRITE_DATA_TABLE'] === '1') this.#write();
  }

  #write(): void {
    const before = readRows(this.#vendor) ?? {};
    const rows = this.#verbs.map((verb) => [verb, inOrder({ ...before[verb], ...this.#rows[verb] })]);
    mkdirSync(folder, { recursive: true });
    writeFileSync(fileOf(this.#vendor), `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
  }

  /** What happened must be what the vendor's file says. */
  publish(): void {
    const written = this.#vendor === '' ? undefined : readRows(this.#vendor);
    // A vendor without a file is not in the table yet. Only a part of the tests may have run.
    if (written) expect(written).toMatchObject(this.#rows);
  }
}
