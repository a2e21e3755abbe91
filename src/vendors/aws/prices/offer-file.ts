/**
 * The CSV form of a price list file: five lines about the file, one line of column names, then one line for each price. A
 * file has hundreds of megabytes, so it is read line by line, and most lines are dropped before they are split.
 */

export interface OfferFile {
  offer: string;
  /** YYYY-MM-DD. */
  date: string;
  rows: AsyncIterable<OfferRow>;
}

/** The value of a column; empty if the row has none. */
export type OfferRow = (column: string) => string;

/** Longer than any real line; without a limit, a file without line ends would fill the memory. */
const maxLine = 1_000_000;

/** Drops lines here rather than in the reader: handing over every line would take most of the time. */
async function* linesOf(
  chunks: AsyncIterable<Buffer | Uint8Array>,
  isWanted: (line: string) => boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new Error('It has a line of more than a million characters.');
    for (const line of lines) if (isWanted(line)) yield line;
  }
  if (rest !== '' && isWanted(rest)) yield rest;
}

/** Values are in quotation marks, doubled inside; empty ones may be without. */
function valuesOf(line: string): string[] {
  const values: string[] = [];
  const value = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(,|$)/y;
  for (;;) {
    const match = value.exec(line);
    if (!match) throw new Error(`It has a line that is not CSV: ${line.slice(0, 80)}`);
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return values;
  }
}

async function readHeader(lines: AsyncIterator<string>): Promise<Map<string, string>> {
  const about = new Map<string, string>();
  for (;;) {
    const next = await lines.next();
    if (next.done || about.size > 20) throw new Error('It is not a price list file of AWS in CSV form.');
    const [name = '', value = ''] = valuesOf(next.value.trimEnd());
    if (name !== 'SKU') about.set(name.replace('\uFEFF', ''), value);
    else return about.set('columns', next.value.trimEnd());
  }
}

async function* rowsOf(lines: AsyncIterable<string>, columns: readonly string[]): AsyncGenerator<OfferRow> {
  const places = new Map(columns.map((column, place) => [column.toLowerCase(), place]));
  for await (const line of lines) {
    const values = valuesOf(line.trimEnd());
    if (values.length !== columns.length)
      throw new Error(`It has a line with ${values.length} values for ${columns.length} columns.`);
    yield (column) => values[places.get(column.toLowerCase()) ?? -1] ?? '';
  }
}

/** Reads the lines about the file; the rows are read when they are asked for. */
export async function openOfferFile(chunks: AsyncIterable<Buffer | Uint8Array>): Promise<OfferFile> {
  let isHeader = true;
  // Nine of ten lines are prices of reservations.
  const lines = linesOf(chunks, (line) => isHeader || line.includes('"OnDemand"'));
  const about = await readHeader(lines);
  isHeader = false;
  const columns = valuesOf(about.get('columns') ?? '');
  const date = (about.get('Publication Date') ?? '').slice(0, 10);
  const offer = about.get('OfferCode') ?? '';
  if (offer === '' || !/^\d{4}-\d\d-\d\d$/.test(date))
    throw new Error('It has no offer code or no publication date.');
  for (const needed of ['TermType', 'PricePerUnit', 'Currency', 'usageType', 'Region Code'])
    if (!columns.some((column) => column.toLowerCase() === needed.toLowerCase()))
      throw new Error(`It has no column ${needed}.`);
  return { offer, date, rows: rowsOf(lines, columns) };
}
