import { describe, expect, it } from 'vitest';
import { Args, type Value } from '../../../src/cli/args/args.ts';
import { globalFlags } from '../../../src/cli/args/global-flags.ts';
import { groups } from '../../../src/cli/groups.ts';
import { helpText } from '../../../src/cli/help/help.ts';
import { completeProfile, defaults, resolveSettings } from '../../../src/cli/settings/settings.ts';
import { formatTable, tableTime } from '../../../src/cli/view/table.ts';

describe('tables', () => {
  const plain = (_tone: string, text: string): string => text;

  it('have their header always, columns five spaces apart, and the last one not padded', () => {
    expect(formatTable(['ID', 'NAME'], [], plain)).toBe('ID     NAME\n');
    expect(
      formatTable(
        ['ID', 'NAME'],
        [
          ['mo-12', 'a'],
          ['x', ''],
        ],
        plain,
      ),
    ).toBe('ID        NAME\nmo-12     a\nx         \n');
  });

  it('stand straight with wide signs and with colours', () => {
    const rows = [
      ['日本', 'x'],
      ['e\u0301', 'CREATE_FAILED'],
    ];
    expect(formatTable(['ABCDE', 'S'], rows, (_tone, text) => `[${text}]`)).toBe(
      '[ABCDE]     [S]\n日本      x\ne\u0301         [CREATE_FAILED]\n',
    );
  });

  it('have one line for each row, and nothing that commands a terminal', () => {
    expect(formatTable(['A', 'B'], [['one\n  two', '\u001B[2Jx\u0007']], plain)).toBe(
      'A           B\none two     [2Jx\n',
    );
  });

  it('show times as mail does, with the offset they came with', () => {
    expect(tableTime('2026-01-02T15:04:05+09:00')).toBe('Fri, 02 Jan 2026 15:04:05 +0900');
    expect(tableTime('2026-01-02T15:04:05.123Z')).toBe('Fri, 02 Jan 2026 15:04:05 UTC');
    for (const text of ['', 'yesterday', '2026-01-02']) expect(tableTime(text)).toBe(text);
  });
});

describe('settings', () => {
  const given = (values: Record<string, Value> = {}) =>
    new Args(globalFlags, new Map(Object.entries(values)));

  it('come from flags, else from the environment, else from the file', () => {
    const file = { ...defaults, api_url: 'http://file', timeout: 5, indent: 3 };
    const found = resolveSettings(
      file,
      {
        ALM_URL: 'http://environment',
        ALM_INDENT: '4',
        ALM_VERBOSE: '1',
        ALM_API_VERSION: '2',
        ALM_TIMEOUT: '',
      },
      given({ url: 'http://flag', debug: true }),
    );
    expect(found).toEqual({
      ...file,
      api_url: 'http://flag',
      indent: 4,
      verbose: true,
      debug: true,
      api_version: 'v2',
    });
    expect(resolveSettings({ ...defaults, verbose: true }, {}, given({ verbose: false })).verbose).toBe(
      false,
    );
  });

  it.each([
    [{ ALM_URL: 'almanac.example.com' }, 'ALM_URL cannot be "almanac.example.com".'],
    [{ ALM_URL: 'ftp://a' }, 'ALM_URL'],
    [{ ALM_URL: 'http://a?b=c' }, 'ALM_URL'],
    [{ ALM_API_VERSION: '4' }, 'ALM_API_VERSION cannot be "4".'],
    [{ ALM_INDENT: '11' }, 'ALM_INDENT'],
    [{ ALM_TIMEOUT: '0' }, 'ALM_TIMEOUT'],
    [{ ALM_VERBOSE: 'yes' }, 'ALM_VERBOSE cannot be "yes".'],
  ])('%j is refused', (env, said) => {
    expect(() => resolveSettings(defaults, env, given())).toThrow(said);
  });

  it('of the file are made whole, or the wrong one is named', () => {
    expect(completeProfile({ api_url: 'https://a', timeout: 7, verbose: true, other: 1 }, 'f')).toEqual({
      ...defaults,
      api_url: 'https://a',
      timeout: 7,
      verbose: true,
    });
    expect(completeProfile({ api_version: 2, access_token: null }, 'f').api_version).toBe('v2');
    expect(() => completeProfile({ timeout: 'long' }, 'file.yml')).toThrow(
      'timeout in file.yml cannot be "long".',
    );
    expect(() => completeProfile({ api_url: ['a'] }, 'file.yml')).toThrow('api_url in file.yml');
  });
});

describe('help', () => {
  it('shows every group, and of a group every command', () => {
    for (const { name } of groups) expect(helpText(groups, null)).toContain(`\n  ${name} `);
    for (const group of groups)
      for (const { path } of group.commands) expect(helpText(groups, group)).toContain(`alm ${path} `);
  });
});
