// Bundles the command line into one file without dependencies: dist/cli/alm.cjs.
//
// Parsing all of it would take as long as the start of Node itself. So the modules that every command needs are code, and every
// other module is a string, which Node skips, and which is compiled when a command loads it.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outfile = process.argv[2] ?? join(root, 'dist/cli/alm.cjs');
const packages = ['yaml', 'ws', 'https-proxy-agent', 'string-width', '@jmespath-community/jmespath'];
const common = {
  bundle: true,
  write: false,
  minify: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
};

/** The code of alm, split at every `await import`. */
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
function withImports(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind, external } of factsOf.get(name).imports)
    if (kind === 'import-statement' && !external) withImports(basename(path), found);
  return found;
}

const asCommonJs = async (module) => {
  const options = { format: 'cjs', minifyWhitespace: true, platform: 'neutral', target: 'node20' };
  const { code } = await transform(module, { ...options, supported: { 'dynamic-import': false } });
  return code.trimEnd();
};

/** The helper functions that esbuild repeats in every CommonJS module. */
const helpersIn = async (module) => (await asCommonJs(module)).split('var stdin_exports')[0];
const exportHelpers = await helpersIn('export const a=1');
const allHelpers = await helpersIn('import a from "b";export const c=a');

/** A chunk as a function that shares the helpers with all others. */
const asFunction = async (module) => {
  const code = await asCommonJs(module);
  const helpers = [allHelpers, exportHelpers].find((each) => code.startsWith(each)) ?? '';
  const parameters = 'exports,require,module,__export,__toCommonJS,__toESM';
  const assigned = `chunk=function(${parameters}){${code.slice(helpers.length)}}`;
  const minified = await transform(assigned, { minify: true, target: 'node20' });
  // In parentheses a function is compiled at once, and not parsed twice.
  return `(${minified.code.trimEnd().replace(/^chunk=|;$/g, '')})`;
};

const asPackage = async (name) => {
  const stdin = { contents: `module.exports = require('${name}')`, resolveDir: root };
  // Optional parts: native code that speeds up `ws`, and Kerberos for proxies.
  const external = ['bufferutil', 'utf-8-validate', 'kerberos'];
  const { outputFiles } = await build({ ...common, stdin, format: 'cjs', external });
  return `(function(exports,require,module){${outputFiles[0].text.trimEnd()}\n})`;
};

const atStart = withImports('main.js');
const now = [];
const later = [];
for (const { path, text } of own.outputFiles) {
  const name = basename(path);
  const script = await asFunction(text.replace(/^#!.*\n/, ''));
  if (atStart.has(name)) now.push(`"./${name}":${script}`);
  else later.push(`"./${name}":${JSON.stringify(script)}`);
}
for (const name of packages) later.push(`"${name}":${JSON.stringify(await asPackage(name))}`);

const program = `#!/usr/bin/env node
"use strict";
${allHelpers}
const now={${now.join(',\n')}};
const later={${later.join(',\n')}};
const loaded=new Map();
const compile=(name)=>require("node:vm").runInThisContext(later[name],{filename:"alm/"+name});
function load(name){
if(!(name in now||name in later))return require(name);
if(!loaded.has(name)){const module={exports:{}};loaded.set(name,module);(now[name]??compile(name))(module.exports,load,module,__export,__toCommonJS,__toESM)}
return loaded.get(name).exports}
load("./main.js");
`;
writeFileSync(outfile, program);
chmodSync(outfile, 0o755);
process.stdout.write(`${outfile}: ${Math.round(statSync(outfile).size / 1024)} KiB\n`);
