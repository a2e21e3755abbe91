import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileForAws } from '../vendors/golden/aws.ts';
import { modelsToLint } from './world/lint-documents.ts';

it('every example, every template of the docs and documents with each feature lint clean, also in China and GovCloud (cfn-lint)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-lint-'));
  try {
    const files = modelsToLint().map(([name, model]) => {
      const compiled = compileForAws(model, 'mo-1');
      if (!compiled.ok) throw new Error(`${name}: ${JSON.stringify(compiled.problems)}`);
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
      // Regions have different schemas. Named in the template, one process lints all of them: it is slow to start.
      const Metadata = { 'cfn-lint': { config: { regions: [model.region] } } };
      writeFileSync(file, JSON.stringify({ ...compiled.value.template, Metadata }));
      return file;
    });
    // Zones are literal on purpose: they are chosen when a stack is created.
    const { stdout, status } = spawnSync(
      process.env.CFN_LINT ?? 'cfn-lint',
      ['--ignore-checks', 'W3010', '--template', ...files],
      { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    expect(new Set(files).size).toBe(files.length);
    console.log(`cfn-lint: ${files.length} templates without errors or warnings`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
