// Makes the command line one file that Node runs with nothing beside it: dist/cli/alm.cjs.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = process.argv[2] ?? join(root, 'dist/cli/alm.cjs');

await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile,
  bundle: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20',
  // Starts faster than a module, and what a command imports is run only when it is asked for.
  format: 'cjs',
  // Faster ways of `ws` that need a compiler; it does without.
  external: ['bufferutil', 'utf-8-validate'],
  sourcemap: false,
  legalComments: 'none',
  define: { ALM_VERSION: JSON.stringify(version) },
});
chmodSync(outfile, 0o755);
process.stdout.write(`${outfile}: ${Math.round(statSync(outfile).size / 1024)} KiB\n`);
