// Lints every golden AWS template with cfn-lint. The golden tests ensure that the compiler produces these templates.
// CFN_LINT: the program, by default `cfn-lint`. Exits with its exit code.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const golden = new URL('../test/vendors/golden/', import.meta.url);
const program = process.env.CFN_LINT || 'cfn-lint';
// Zones are literal on purpose: they are chosen when a stack is created.
const ignored = ['W3010'];

/** Reads the templates by region, because regions have different schemas. */
function readTemplates() {
  const byRegion = new Map();
  for (const file of readdirSync(golden).filter((name) => name.endsWith('.aws.yaml'))) {
    const name = file.replace('.aws.yaml', '');
    const { template } = parse(readFileSync(new URL(file, golden), 'utf8'));
    if (!template) throw new Error(`${file} contains no template: its model was rejected.`);
    const { region } = JSON.parse(readFileSync(new URL(`${name}.model.json`, golden), 'utf8'));
    byRegion.set(region, [...(byRegion.get(region) ?? []), { name, text: JSON.stringify(template) }]);
  }
  return byRegion;
}

function lint(folder, region, templates) {
  mkdirSync(join(folder, region));
  const files = templates.map(({ name, text }) => {
    const file = join(folder, region, `${name}.json`);
    writeFileSync(file, text);
    return file;
  });
  console.log(`cfn-lint in ${region}: ${templates.map(({ name }) => name).join(', ')}`);
  const options = ['--regions', region, '--ignore-checks', ...ignored, '--template', ...files];
  const { status, error } = spawnSync(program, options, { stdio: 'inherit' });
  if (error) throw new Error(`Cannot run ${program}: ${error.message}. Set CFN_LINT to the program.`);
  return status ?? 1;
}

const folder = mkdtempSync(join(tmpdir(), 'almanac-templates-'));
try {
  for (const [region, templates] of readTemplates())
    process.exitCode = lint(folder, region, templates) || process.exitCode;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
