import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Part } from './world.ts';

type Rows = Record<string, Partial<Record<Part, string>>>;

const folder = new URL('../../../docs/data-table/', import.meta.url);

/** What happened to each kind of store, for docs/data.md. */
export class DataTable {
  readonly #rows: Rows;
  #vendor = '';

  /** `verbs`: in the order of the table. */
  constructor(verbs: readonly string[]) {
    this.#rows = Object.fromEntries(verbs.map((verb) => [verb, {}]));
  }

  note(vendor: string, cell: { verb: string; part: Part; fate: string }): void {
    this.#vendor = vendor;
    this.#rows[cell.verb] = { ...this.#rows[cell.verb], [cell.part]: cell.fate };
  }

  /** With ALM_WRITE_DATA_TABLE=1, writes the vendor's file. Otherwise what happened must be what the file says. */
  publish(): void {
    if (this.#vendor === '') return;
    const file = new URL(`${this.#vendor}.json`, folder);
    if (process.env['ALM_WRITE_DATA_TABLE'] === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(this.#rows, null, 2)}\n`);
    }
    // A vendor without a file is not in the table yet.
    if (!existsSync(file)) return;
    const written = JSON.parse(readFileSync(file, 'utf8')) as Rows;
    // Only a part of the tests may have run.
    expect(written).toMatchObject(this.#rows);
  }
}
