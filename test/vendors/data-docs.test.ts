import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = new URL('../../docs/data.md', import.meta.url);

it('the table in docs/data.md is made from the results of the data contract (node scripts/write-data-docs.mjs)', () => {
  const made = execFileSync(process.execPath, ['scripts/write-data-docs.mjs', '--print'], {
    encoding: 'utf8',
  });
  expect(readFileSync(page, 'utf8')).toBe(made);
});
