// Makes the command line one file that Node runs with nothing beside it: dist/cli/alm.cjs.
//
// Reading all of it would take as long as Node's own start. So what every command needs is code, and every other piece is
// a text, which Node passes over, and which is compiled when a command asks for it.
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

/** Our own code, cut at every `await import`. */
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

/** A piece and all it cannot begin without. */
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
  // In parentheses a function is compiled at once, and not looked at twice.
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
