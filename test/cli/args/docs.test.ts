import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groups } from '../../../src/cli/groups.ts';
import { cliPage } from '../../../src/cli/help/docs-page.ts';

describe('docs/cli.md', () => {
  const page = cliPage();

  it('docs/cli.md is up to date with the table of commands (npm run docs)', () => {
    const file = resolve('docs/cli.md');
    expect(existsSync(file) && readFileSync(file, 'utf8') === page).toBe(true);
  });

  it('docs/cli.md lists every command and every flag', () => {
    for (const { path, flags } of groups.flatMap(({ commands }) => commands)) {
      const section = page.split(`#### alm ${path}\n`)[1]?.split('\n#### ')[0] ?? '';
      for (const { name } of flags) expect(section, path).toContain(`--${name}`);
    }
  });

  it('docs/cli.md has no broken links', () => {
    const targets = [...page.matchAll(/\]\(([^)#]+)/g)].map((found) => found[1] ?? '');
    expect(targets.filter((target) => !existsSync(resolve('docs', target)))).toEqual([]);
  });
});
