// Bundles the agent into one file that Node 18 or later runs without packages: dist/agent/alm-agent.mjs.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = process.argv[2] ?? join(root, 'dist/agent/alm-agent.mjs');

await build({
  entryPoints: [join(root, 'src/agent/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  // The version in Debian 12.
  target: 'node18',
  format: 'esm',
  sourcemap: false,
  legalComments: 'none',
  // Packages in CommonJS form require Node's own modules, which an ES module cannot do without this.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  define: { ALM_AGENT_VERSION: JSON.stringify(version) },
});
chmodSync(outfile, 0o755);
process.stdout.write(`${outfile}: ${Math.round(statSync(outfile).size / 1024)} KiB\n`);
