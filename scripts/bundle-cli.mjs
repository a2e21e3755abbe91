// Bundles the command line into a single file without dependencies: dist/cli/alm.cjs.
//
// Compiling all of it would take as long as Node's own start-up. So only the modules that every command needs are code;
// all others are strings, which Node skips, and which are compiled when a command loads them.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = process.argv[2] ?? join(root, 'dist/cli/alm.cjs');
const packages = ['yaml', 'ws', 'https-proxy-agent', 'string-width'];
const common = {
  bundle: true,
  write: false,
  minify: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
};

/** Our own code, split at every `await import`. */
const own = await build({
  ...common,
  entryPoints: [join(root, 'src/cli/main.ts')],
  outdir: root,
  format: 'esm',
  splitting: true,
  metafile: true,
  external: packages,
  define: { ALM_VERSION: JSON.stringify(version) },
});
const factsOf = new Map(Object.entries(own.metafile.outputs).map(([path, facts]) => [basename(path), facts]));

/** A chunk and all chunks it imports statically. */
function withNeeded(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind, external } of factsOf.get(name).imports)
    if (kind === 'import-statement' && !external) withNeeded(basename(path), found);
  return found;
}

const asScript = async (module) => {
  const options = { format: 'cjs', minify: true, platform: 'node', target: 'node20' };
  const { code } = await transform(module, { ...options, supported: { 'dynamic-import': false } });
  return code.trimEnd();
};

const asPackage = async (name) => {
  const stdin = { contents: `module.exports = require('${name}')`, resolveDir: root };
  // Optional parts: native code that speeds up `ws`, and Kerberos for proxies.
  const external = ['bufferutil', 'utf-8-validate', 'kerberos'];
  const { outputFiles } = await build({ ...common, stdin, format: 'cjs', external });
  return outputFiles[0].text.trimEnd();
};

const atStart = withNeeded('main.js');
const now = [];
const later = [];
for (const { path, text } of own.outputFiles) {
  const name = basename(path);
  const script = await asScript(text.replace(/^#!.*\n/, ''));
  // A function in parentheses is compiled eagerly, without a preparse.
  if (atStart.has(name)) now.push(`"./${name}":(function(exports,require,module){${script}})`);
  else later.push(`"./${name}":${JSON.stringify(script)}`);
}
for (const name of packages) later.push(`"${name}":${JSON.stringify(await asPackage(name))}`);

const program = `#!/usr/bin/env node
"use strict";
const now={${now.join(',\n')}};
const later={${later.join(',\n')}};
const loaded=new Map();
const compile=(name)=>require("node:vm").compileFunction(later[name],["exports","require","module"],{filename:"alm/"+name});
function load(name){
if(!(name in now||name in later))return require(name);
if(!loaded.has(name)){const module={exports:{}};loaded.set(name,module);(now[name]??compile(name))(module.exports,load,module)}
return loaded.get(name).exports}
load("./main.js");
`;
writeFileSync(outfile, program);
chmodSync(outfile, 0o755);
process.stdout.write(`${outfile}: ${Math.round(statSync(outfile).size / 1024)} KiB\n`);
