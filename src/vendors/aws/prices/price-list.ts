import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isObject } from '../../../basics/is-object.ts';
import type { PriceSheet } from '../../../model/cost.ts';
import type { PriceListSource } from '../../billing.ts';
import { offers } from './offers.ts';
import { readSheets } from './read-sheets.ts';

type Chunks = AsyncIterable<Buffer | Uint8Array>;

const publicPriceList = 'https://pricing.us-east-1.amazonaws.com';

/** Says which file the error is about. */
async function* naming(name: string, sheets: AsyncIterable<PriceSheet>): AsyncGenerator<PriceSheet> {
  try {
    yield* sheets;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read ${name}. ${reason}`, { cause: error });
  }
}

function open(file: string): Chunks {
  const content = createReadStream(file);
  if (!file.endsWith('.gz')) return content;
  const plain = createGunzip();
  content.on('error', (error) => plain.destroy(error));
  return content.pipe(plain);
}

/** Every file says itself which offer and which regions it has, so any names will do. */
async function* readDirectory(directory: string, regions: readonly string[]): AsyncGenerator<PriceSheet> {
  const names = await readdir(directory, { recursive: true });
  const files = names.filter((name) => /\.csv(\.gz)?$/.test(name)).toSorted();
  if (files.length === 0)
    throw new Error(`${directory} has no .csv or .csv.gz files. Download price list files of AWS into it.`);
  for (const name of files) {
    const file = join(directory, name);
    for await (const sheet of naming(file, readSheets(open(file))))
      if (regions.length === 0 || regions.includes(sheet.region)) yield sheet;
  }
}

async function get(url: URL): Promise<Response> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new Error(
      `Cannot reach ${url.href}. On a host without internet access, pass a directory with price list files: --from <directory>`,
      { cause: error },
    );
  });
  if (!response.ok) throw new Error(`${url.href} answered with status ${response.status}.`);
  return response;
}

/** The members below a path, or an error that names the file. */
async function readIndex(url: URL, path: readonly string[]): Promise<unknown> {
  let value: unknown = await (await get(url)).json();
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** The indexes name the JSON files; the CSV form is next to each. */
async function csvAddress(base: URL, offer: string, region: string): Promise<URL | undefined> {
  const index = new URL('/offers/v1.0/aws/index.json', base);
  const regionIndex = await readIndex(index, ['offers', offer, 'currentRegionIndexUrl']);
  if (typeof regionIndex !== 'string') throw new Error(`${index.href} does not list ${offer}.`);
  const file = await readIndex(new URL(regionIndex, base), ['regions', region, 'currentVersionUrl']);
  return typeof file === 'string' ? new URL(file.replace(/\.json$/, '.csv'), base) : undefined;
}

async function* readAddress(base: URL, regions: readonly string[]): AsyncGenerator<PriceSheet> {
  if (regions.length === 0) throw new Error('Name the regions: --region <region>');
  for (const region of regions)
    for (const offer of Object.keys(offers)) {
      const address = await csvAddress(base, offer, region);
      if (!address) continue;
      const { body } = await get(address);
      if (body) yield* naming(address.href, readSheets(body));
    }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Reads the price list of AWS, or a copy of its files. Holds no file in memory. */
export async function* readPriceList({ from, regions }: PriceListSource): AsyncGenerator<PriceSheet> {
  const source = from ?? publicPriceList;
  if (/^https?:\/\//.test(source)) yield* readAddress(new URL(source), regions);
  else if (await isDirectory(source)) yield* readDirectory(source, regions);
  else throw new Error(`${source} is neither a directory nor a URL.`);
}
