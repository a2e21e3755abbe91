import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../../../src/vendors/aws/compile/user-data.sh');
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

it('user-data.sh is valid bash', () => {
  expect(spawnSync('bash', ['-n', script]).status).toBe(0);
});

it.skipIf(!hasShellcheck)('user-data.sh passes shellcheck', () => {
  const { stdout, status } = spawnSync('shellcheck', [script], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
