import { accessSync, chmodSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reindentJson } from '../../basics/json/text.ts';
import type { Format } from '../args/flag.ts';
import { CliError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { withAges } from './ages.ts';
import { painter, stripControls, type Tone } from './colour.ts';
import { fitTable } from './fit-table.ts';
import { formatTable, type Table, widthFor } from './table.ts';

interface OutputOptions {
  format: Format;
  indent: number;
  /** File to write to instead of standard output. */
  file: string | undefined;
  /** JMESPath expression that selects a part of every document. */
  query?: string | undefined;
  /** Texts that the query selects have no quotes. */
  plainTexts?: boolean;
  /** No messages except warnings and errors. */
  quiet?: boolean;
  /** Tables on a terminal are complete: all columns, nothing cut, exact times. */
  wide?: boolean;
}

const cannotWrite = (file: string, cause: unknown): CliError =>
  new CliError('refused', `Cannot write ${file}.`, {
    lines: [cause instanceof Error ? cause.message : String(cause)],
    cause,
  });

const withFinalNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Writes data to standard output or a file, and messages to standard error. */
export class Output {
  readonly format: Format;
  readonly #system: System;
  readonly #options: OutputOptions;
  #written = false;
  #isPrivate = false;
  /** Whether the last message was left out. */
  #isMuted = false;

  constructor(system: System, options: OutputOptions) {
    this.#system = system;
    this.#options = options;
    this.format = options.format;
  }

  /** Whether messages are left out that are neither warnings nor errors. */
  get quiet(): boolean {
    return this.#options.quiet ?? false;
  }

  info(text: string): void {
    this.#isMuted = this.quiet;
    if (!this.#isMuted) this.#print(this.#paintLabel('good', 'info:'), text);
  }

  warn(text: string): void {
    this.#isMuted = false;
    this.#print(this.#paintLabel('busy', 'warning:'), text);
  }

  error(text: string): void {
    this.#isMuted = false;
    this.#print(this.#paintLabel('bad', 'error:'), text);
  }

  /** Prints a further line of the last message. */
  more(text: string): void {
    if (!this.#isMuted) this.#system.stderr.write(`  ${stripControls(text)}\n`);
  }

  /** The same output, with its data among the messages on standard error. */
  onErrors(): Output {
    const { stderr } = this.#system;
    const system = Object.create(this.#system, {
      write: { value: (data: string | Uint8Array) => void stderr.write(data) },
      stdoutIsTty: { value: stderr.isTTY },
      stdout: { value: stderr },
    }) as System;
    return new Output(system, this.#options);
  }

  /** Checks the output file before a request is sent: the response may contain a secret that is shown only once. */
  checkWritable(): void {
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

  /** Marks the data as secret: an existing output file is made private, too. */
  keepPrivate(): void {
    this.#isPrivate = true;
  }

  /** Writes bytes unchanged. The first call creates the file, readable by its owner only; further calls append. */
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

  /** Writes a response of the service in the selected format. */
  async document(text: string, table?: () => Table): Promise<void> {
    const { format, query, plainTexts } = this.#options;
    if (format === 'table' && table) return this.table(table());
    if (query === undefined) return this.#write(await this.#formatted(text));
    const { select } = await import('./select.ts');
    const selected = select(text, query);
    const isPlain = plainTexts && typeof selected === 'string';
    this.#write(isPlain ? selected : await this.#formatted(JSON.stringify(selected)));
  }

  async #formatted(text: string): Promise<string> {
    const { format, indent } = this.#options;
    if (format === 'yaml') {
      const [{ stringify }, { yamlOptions }] = await Promise.all([
        import('yaml'),
        import('./yaml-options.ts'),
      ]);
      return stringify(JSON.parse(text), yamlOptions);
    }
    return format === 'raw' ? text : reindentJson(text, format === 'min' ? 0 : indent);
  }

  async table(table: Table): Promise<void> {
    if (this.#isTerminal) return this.#tableForPeople(table);
    this.data(formatTable(table, await widthFor(table), (_tone, text) => text));
  }

  async #tableForPeople(whole: Table): Promise<void> {
    const { env, clock, stdout } = this.#system;
    const { wide = false } = this.#options;
    const table = wide ? whole : withAges(whole, clock.now());
    const widthOf = await widthFor(table);
    const room = wide ? Number.POSITIVE_INFINITY : stdout.columns || Number.POSITIVE_INFINITY;
    const { hidden, gap, table: fitted } = fitTable(table, widthOf, room);
    this.data(formatTable({ ...fitted, gap }, widthOf, painter({ isTTY: true }, env)));
    if (hidden.length > 0) this.info(`Not shown: ${hidden.join(', ')}. For all columns: --wide`);
  }

  /** Programs get the text unchanged; on a terminal it must not contain control characters. */
  #write(text: string): void {
    this.data(withFinalNewline(this.#isTerminal ? stripControls(text) : text));
  }

  get #isTerminal(): boolean {
    return this.#options.file === undefined && this.#system.stdoutIsTty;
  }

  #paintLabel(tone: Tone, label: string): string {
    return painter(this.#system.stderr, this.#system.env)(tone, label);
  }

  #print(label: string, text: string): void {
    this.#system.stderr.write(`[alm]: ${label} ${stripControls(text)}\n`);
  }
}
