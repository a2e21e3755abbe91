import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

describe('every golden CloudFormation template (cfn-lint, with the schemas AWS publishes)', () => {
  it('passes without errors or warnings', () => {
    const output = execFileSync(process.execPath, [join(root, 'scripts', 'lint-templates.mjs')], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env },
    });
    expect(output).not.toMatch(/\b[EW]\d{4}\b/);
  });
});
