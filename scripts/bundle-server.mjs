// Bundles the server into two files in dist/bundle: reading hundreds of small ones takes most of the time of a start.
// `dist/almanac/main.js` and the program of the document threads then run their bundle: see src/almanac/bundle/run-bundle.ts.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const bundle = join(dist, 'bundle');
const programs = { almanac: 'almanac/main.js', 'document-thread': 'operations/documents/worker.js' };

/**
 * A module finds the files next to it by its own address, which must stay what it was before. Packages that are loaded later
 * are loaded by a function of `runBundle`.
 */
const keepAddresses = {
  name: 'keep-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/dist\/.*\.js$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8');
      if (!path.startsWith(dist) || !/import\.meta|\bimport\(/.test(contents)) return null;
      const own = JSON.stringify(`../${relative(dist, path)}`);
      const address = `new URL(${own}, import.meta.url)`;
      return {
        contents: contents
          .replaceAll('import.meta.dirname', `__pathOf(new URL('.', ${address}))`)
          .replaceAll('import.meta.url', `${address}.href`)
          .replaceAll(`new URL(${own}, ${address}.href)`, address)
          .replaceAll(/\bimport\((?='[^.])/g, '__import('),
      };
    });
  },
};

// Also the compiled code of an earlier bundle.
rmSync(bundle, { recursive: true, force: true });
const result = await build({
  entryPoints: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(dist, file)])),
  outdir: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__bundleUrl' },
  sourcemap: true,
  // Less to read at each start. Names stay, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  // Native code, optional parts, packages that read their own files, and the large SDKs of clouds, which are loaded when a
  // credential needs them.
  external: [
    'libsql',
    'ssh2',
    '@node-rs/argon2',
    '@zxcvbn-ts/*',
    'pg-native',
    'pg-cloudflare',
    '@aws-cdk/*',
    '@aws-sdk/*',
    '@smithy/*',
    '@alicloud/*',
  ],
  banner: {
    js: [
      "(function (require, __import, __filename) { 'use strict';",
      "const { fileURLToPath: __pathOf, pathToFileURL } = require('node:url');",
      'const __bundleUrl = pathToFileURL(__filename).href, module = { exports: {} }, exports = module.exports;',
    ].join('\n'),
  },
  footer: { js: '})' },
  plugins: [keepAddresses],
});

for (const [name, file] of Object.entries(programs)) {
  const [firstLine] = readFileSync(join(dist, file), 'utf8').split('\n', 1);
  const start = firstLine.startsWith('#!') ? `${firstLine}\n` : '';
  const up = '../'.repeat(file.split('/').length - 1);
  const program = [
    `import { runBundle } from '${up}almanac/bundle/run-bundle.js';`,
    `import { fileURLToPath } from 'node:url';`,
    `runBundle(fileURLToPath(new URL('${up}bundle/${name}.cjs', import.meta.url)));`,
  ];
  writeFileSync(join(dist, file), `${start}${program.join('\n')}\n`);
}
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(
  `${bundle}: ${Object.keys(result.metafile.outputs).length} files, ${Math.round(bytes / 1024)} KiB\n`,
);
