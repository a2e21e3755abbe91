import { accessSync, chmodSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reindentJson } from '../../basics/json-text.ts';
import type { Format } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { painter, stripControls, type Tone } from './colour.ts';
import { formatTable } from './table.ts';

export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

interface OutputOptions {
  format: Format;
  indent: number;
  /** A file instead of standard output. */
  file: string | undefined;
}

const cannotWrite = (file: string, why: unknown): CliError =>
  new CliError('refused', `${file} cannot be written.`, {
    lines: [why instanceof Error ? why.message : String(why)],
    cause: why,
  });

const endingWithNewLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Data goes to standard output (or the file that was named), words go to standard error. */
export class Output {
  readonly format: Format;
  readonly #system: System;
  readonly #options: OutputOptions;
  #written = false;
  #isPrivate = false;

  constructor(system: System, options: OutputOptions) {
    this.#system = system;
    this.#options = options;
    this.format = options.format;
  }

  info(text: string): void {
    this.#say(this.#paintWord('good', 'info:'), text);
  }

  warn(text: string): void {
    this.#say(this.#paintWord('busy', 'warning:'), text);
  }

  error(text: string): void {
    this.#say(this.#paintWord('bad', 'error:'), text);
  }

  /** Further lines of what was said last. */
  more(text: string): void {
    this.#system.stderr.write(`  ${stripControls(text)}\n`);
  }

  /** Asked before anything is asked of the service: what it answers may be something that is shown only once. */
  mustBeWritable(): void {
    const { file } = this.#options;
    if (file === undefined) return;
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw cannotWrite(file, 'It is a directory.');
    try {
      accessSync(found ? file : dirname(resolve(file)), constants.W_OK);
    } catch (error) {
      throw cannotWrite(file, error);
    }
  }

  /** What follows is a secret: a file that was there before is shut to others too. */
  keepPrivate(): void {
    this.#isPrivate = true;
  }

  /** Bytes as they are. A file is made on the first call, for its owner alone, and added to by the next. */
  data(text: string | Buffer): void {
    const { file } = this.#options;
    if (file === undefined) {
      this.#system.write(text);
      return;
    }
    try {
      if (this.#isPrivate && statSync(file, { throwIfNoEntry: false })?.isFile()) chmodSync(file, 0o600);
      writeFileSync(file, text, { mode: 0o600, flag: this.#written ? 'a' : 'w' });
    } catch (error) {
      throw cannotWrite(file, error);
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
      // Readers of YAML 1.1 take more for dates and truths than those of 1.2: what is a text must be one for both.
      return this.#show(stringify(JSON.parse(text), { version: '1.1' }));
    }
    if (format === 'raw') return this.#show(text);
    this.#show(reindentJson(text, format === 'min' ? 0 : indent));
  }

  table({ header, rows }: Table): void {
    this.data(formatTable(header, rows, painter({ isTTY: this.#isSeen }, this.#system.env)));
  }

  /** Programs get what came; people's terminals must not be commanded by it. */
  #show(text: string): void {
    this.data(endingWithNewLine(this.#isSeen ? stripControls(text) : text));
  }

  get #isSeen(): boolean {
    return this.#options.file === undefined && this.#system.isSeen;
  }

  #paintWord(tone: Tone, word: string): string {
    return painter(this.#system.stderr, this.#system.env)(tone, word);
  }

  #say(tone: string, text: string): void {
    this.#system.stderr.write(`[alm]: ${tone} ${stripControls(text)}\n`);
  }
}
