// Writes a .br and a .gz beside every file of the console, so that the server never compresses them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = process.argv[2] ?? 'dist/console';
// Fonts are compressed already; source maps are for developers.
const worthIt = /\.(?:js|css|html|svg)$/;

/** The best but one: the files are 2 % larger than with the best, which takes four times as long. */
const brotliQuality = 10;

const compress = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => worthIt.test(file));
await Promise.all(
  files.flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    return Object.entries(compress).map(async ([ending, pack]) =>
      writeFileSync(join(folder, `${file}.${ending}`), await pack(bytes)),
    );
  }),
);
