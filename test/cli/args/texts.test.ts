import { describe, expect, it } from 'vitest';
import { Args, type Value } from '../../../src/cli/args/args.ts';
import { globalFlags } from '../../../src/cli/args/global-flags.ts';
import { groups } from '../../../src/cli/groups.ts';
import { helpText } from '../../../src/cli/help/help.ts';
import { completeProfile, defaults, resolveSettings } from '../../../src/cli/settings/settings.ts';
import { type Paint, painter } from '../../../src/cli/view/colour.ts';
import { formatTable, tableTime, widthFor } from '../../../src/cli/view/table.ts';

describe('tables', () => {
  const plain: Paint = (_tone, text) => text;
  const format = async (header: string[], rows: string[][], paint = plain): Promise<string> =>
    formatTable({ header, rows }, await widthFor({ header, rows }), paint);

  it('a table has a header, columns five spaces apart, and an unpadded last column', async () => {
    expect(await format(['ID', 'NAME'], [])).toBe('ID     NAME\n');
    expect(
      await format(
        ['ID', 'NAME'],
        [
          ['mo-12', 'a'],
          ['x', ''],
        ],
      ),
    ).toBe('ID        NAME\nmo-12     a\nx         \n');
  });

  it('columns are aligned with wide characters and with colours', async () => {
    const rows = [
      ['日本', 'x'],
      ['e\u0301', 'CREATE_FAILED'],
    ];
    expect(await format(['ABCDE', 'S'], rows, (_tone, text) => `[${text}]`)).toBe(
      '[ABCDE]     [S]\n日本      x\ne\u0301         [CREATE_FAILED]\n',
    );
  });

  it.each([
    ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}', 2],
    ['a flag', '\u{1F1EF}\u{1F1F5}', 2],
    ['an emoji with a skin tone', '\u{1F44D}\u{1F3FD}', 2],
    ['Hangul', '\uD55C\uAD6D', 4],
    ['a combining accent', 'e\u0301', 1],
  ])('%s takes as many columns as on a terminal', async (_name, cell, width) => {
    const padding = ' '.repeat('HEADER'.length - width + 5);
    expect(await format(['HEADER', 'B'], [[cell, 'x']])).toBe(`HEADER     B\n${cell}${padding}x\n`);
  });

  it('a row is a single line without control characters', async () => {
    expect(await format(['A', 'B'], [['one\n  two', '\u001B[2Jx\u0007']])).toBe(
      'A           B\none two     [2Jx\n',
    );
  });

  it('times are shown in RFC 1123 format with their own offset', () => {
    expect(tableTime('2026-01-02T15:04:05+09:00')).toBe('Fri, 02 Jan 2026 15:04:05 +0900');
    expect(tableTime('2026-01-02T15:04:05.123Z')).toBe('Fri, 02 Jan 2026 15:04:05 UTC');
    for (const text of ['', 'yesterday', '2026-01-02']) expect(tableTime(text)).toBe(text);
  });
});

describe('colours', () => {
  const tty = { isTTY: true };

  it('text is coloured on a terminal', () => {
    expect(painter(tty, {})('bad', 'x')).toBe('\u001B[31mx\u001B[39m');
    expect(painter(tty, { NO_COLOR: '' })('strong', 'x')).toBe('\u001B[1mx\u001B[22m');
  });

  it.each([
    ['off a terminal', {}, {}],
    ['with NO_COLOR', tty, { NO_COLOR: '1' }],
    ['on a dumb terminal', tty, { TERM: 'dumb' }],
  ])('text is not coloured %s', (_name, stream, env) => {
    expect(painter(stream, env)('bad', 'x')).toBe('x');
  });
});

describe('settings', () => {
  const argsWith = (values: Record<string, Value> = {}) =>
    new Args(globalFlags, new Map(Object.entries(values)));

  it('flags override the environment, which overrides the file', () => {
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
      argsWith({ url: 'http://flag', debug: true }),
    );
    expect(found).toEqual({
      ...file,
      api_url: 'http://flag',
      indent: 4,
      verbose: true,
      debug: true,
      api_version: 'v2',
    });
    expect(resolveSettings({ ...defaults, verbose: true }, {}, argsWith({ verbose: false })).verbose).toBe(
      false,
    );
  });

  it.each([
    [{ ALM_URL: 'almanac.example.com' }, 'Invalid value for ALM_URL: "almanac.example.com".'],
    [{ ALM_URL: 'ftp://a' }, 'ALM_URL'],
    [{ ALM_URL: 'http://a?b=c' }, 'ALM_URL'],
    [{ ALM_API_VERSION: '4' }, 'Invalid value for ALM_API_VERSION: "4".'],
    [{ ALM_INDENT: '11' }, 'ALM_INDENT'],
    [{ ALM_TIMEOUT: '0' }, 'ALM_TIMEOUT'],
    [{ ALM_VERBOSE: 'yes' }, 'Invalid value for ALM_VERBOSE: "yes".'],
  ])('rejects the invalid setting %j', (env, message) => {
    expect(() => resolveSettings(defaults, env, argsWith())).toThrow(message);
  });

  it('a profile of the file gets defaults, and an invalid setting is named', () => {
    expect(completeProfile({ api_url: 'https://a', timeout: 7, verbose: true, other: 1 }, 'f')).toEqual({
      ...defaults,
      api_url: 'https://a',
      timeout: 7,
      verbose: true,
    });
    expect(completeProfile({ api_version: 2, access_token: null }, 'f').api_version).toBe('v2');
    expect(() => completeProfile({ timeout: 'long' }, 'file.yml')).toThrow(
      'Invalid value for timeout in file.yml: "long".',
    );
    expect(() => completeProfile({ api_url: ['a'] }, 'file.yml')).toThrow('api_url in file.yml');
  });
});

describe('help', () => {
  it('the help lists every group, and the help of a group every command', () => {
    for (const { name } of groups) expect(helpText(groups, null)).toContain(`\n  ${name} `);
    for (const group of groups)
      for (const { path } of group.commands) expect(helpText(groups, group)).toContain(`alm ${path} `);
  });
});
