import { writeFileSync } from 'node:fs';
import { harmless, type Paint, painter } from './colour.ts';
import type { Format } from './flag.ts';
import { reindent } from './json-text.ts';
import type { System } from './system.ts';
import { formatTable } from './table.ts';
import { Trouble } from './trouble.ts';

export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface OutputOptions {
  format: Format;
  indent: number;
  /** A file instead of standard output. */
  file: string | undefined;
}

const endingWithNewLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Data goes to standard output (or the file that was named), words go to standard error. */
export class Output {
  readonly format: Format;
  readonly #system: System;
  readonly #options: OutputOptions;
  readonly #paintData: Paint;
  readonly #paintWords: Paint;
  #written = false;

  constructor(system: System, options: OutputOptions) {
    this.#system = system;
    this.#options = options;
    this.format = options.format;
    this.#paintData = painter(options.file === undefined ? system.stdout : {}, system.env);
    this.#paintWords = painter(system.stderr, system.env);
  }

  info(text: string): void {
    this.#say(this.#paintWords('good', 'info:'), text);
  }

  warn(text: string): void {
    this.#say(this.#paintWords('busy', 'warning:'), text);
  }

  error(text: string): void {
    this.#say(this.#paintWords('bad', 'error:'), text);
  }

  /** Further lines of what was said last. */
  more(text: string): void {
    this.#system.stderr.write(`  ${harmless(text)}\n`);
  }

  /** Bytes as they are. A file is made on the first call and added to by the next; `mode` is for what others must not read. */
  data(text: string | Buffer, mode = 0o644): void {
    const { file } = this.#options;
    if (file === undefined) {
      this.#system.stdout.write(text);
      return;
    }
    try {
      writeFileSync(file, text, { mode, flag: this.#written ? 'a' : 'w' });
    } catch (error) {
      throw new Trouble('refused', `${file} cannot be written.`, {
        lines: error instanceof Error ? [error.message] : [],
        cause: error,
      });
    }
    if (!this.#written) this.info(`Output written to ${file}.`);
    this.#written = true;
  }

  /** What the service answered, in the form that was asked for; `table` where that is possible and wanted. */
  async document(text: string, table?: () => Table): Promise<void> {
    const { format, indent } = this.#options;
    if (format === 'table' && table) return this.table(table());
    if (format === 'yaml') {
      const { stringify } = await import('yaml');
      return this.data(stringify(JSON.parse(text)));
    }
    if (format === 'raw') return this.data(endingWithNewLine(text));
    this.data(endingWithNewLine(reindent(text, format === 'min' ? 0 : indent)));
  }

  table({ header, rows }: Table): void {
    this.data(formatTable(header, rows, this.#paintData));
  }

  #say(tone: string, text: string): void {
    this.#system.stderr.write(`[alm]: ${tone} ${harmless(text)}\n`);
  }
}
