// Lints every golden AWS template with cfn-lint. The golden test makes sure that they are what the compiler writes.
// CFN_LINT: the program, `cfn-lint` unless given. Its exit code is passed on.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const golden = new URL('../test/vendors/golden/', import.meta.url);
const program = process.env.CFN_LINT || 'cfn-lint';
// Zones are literal on purpose: which ones a stack is in was decided when it was made.
const ignored = ['W3010'];

/** The templates by region, because what AWS offers differs between them. */
function readTemplates() {
  const byRegion = new Map();
  for (const file of readdirSync(golden).filter((name) => name.endsWith('.aws.yaml'))) {
    const name = file.replace('.aws.yaml', '');
    const { template } = parse(readFileSync(new URL(file, golden), 'utf8'));
    if (!template) throw new Error(`${file} holds no template: the model it is made from was refused.`);
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
  if (error) throw new Error(`${program} cannot be run: ${error.message}. Name the program in CFN_LINT.`);
  return status ?? 1;
}

const folder = mkdtempSync(join(tmpdir(), 'almanac-templates-'));
try {
  for (const [region, templates] of readTemplates())
    process.exitCode = lint(folder, region, templates) || process.exitCode;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
