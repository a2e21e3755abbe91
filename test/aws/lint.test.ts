import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goldenTemplatesIn } from '../vendors/aws/compile/partitions.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the CloudFormation template of the event queue in the docs (cfn-lint, with the schemas AWS publishes)', () => {
  it.each(['eu-west-1', 'cn-north-1', 'us-gov-west-1'])(
    'passes without errors or warnings in %s',
    (region) => {
      const file = join(root, 'docs', 'vendors', 'aws-events.yaml');
      const options = ['--regions', region, '--template', file];
      const { stdout, status } = spawnSync(process.env.CFN_LINT ?? 'cfn-lint', options, { encoding: 'utf8' });
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    },
  );
});

describe('every golden CloudFormation template (cfn-lint, with the schemas AWS publishes)', () => {
  it('passes without errors or warnings', () => {
    const output = execFileSync(process.execPath, [join(root, 'scripts', 'lint-templates.mjs')], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env },
    });
    expect(output).not.toMatch(/\b[EW]\d{4}\b/);
  });

  it.each(['cn-north-1', 'us-gov-west-1'])(
    'passes without errors or warnings when compiled for %s',
    (region) => {
      const folder = mkdtempSync(join(tmpdir(), 'almanac-partition-'));
      try {
        const files = goldenTemplatesIn(region).map(([name, template]) => {
          const file = join(folder, `${name}.json`);
          writeFileSync(file, JSON.stringify(template));
          return file;
        });
        // Zones are literal on purpose: they are chosen when a stack is created.
        const options = ['--regions', region, '--ignore-checks', 'W3010', '--template', ...files];
        const { stdout, status } = spawnSync(process.env.CFN_LINT ?? 'cfn-lint', options, {
          encoding: 'utf8',
        });
        expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
