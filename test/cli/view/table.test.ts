import { describe, expect, it } from 'vitest';
import { checkRules } from '../../../src/cli/args/check-rules.ts';
import { globalFlags } from '../../../src/cli/args/global-flags.ts';
import { parse } from '../../../src/cli/args/parse.ts';
import type { Command } from '../../../src/cli/command.ts';
import { groups } from '../../../src/cli/groups.ts';
import { helpText } from '../../../src/cli/help/help.ts';
import { sources } from '../../../src/cli/settings/settings.ts';

const commands = groups.flatMap((group) => group.commands.map((command) => ({ group, command })));
const named = commands.map(({ command }) => [command.path, command] as const);

/** Arguments after `alm`, split as a shell does; a placeholder such as `<version id>` is one word. */
const wordsOf = (example: string): string[] => {
  const line = /(?:^|\()alm ([^)]*)\)?$/.exec(example)?.[1] ?? '';
  const words = line.replaceAll(/<[^>]*>/g, 'placeholder').match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^'(.*)'$/, '$1'));
};

const valuesOf = (command: Command): unknown[] =>
  command.flags.flatMap((flag) => [flag.name, flag.short ?? [], flag.aliases ?? []].flat());

describe('the table of commands', () => {
  it('every command path is unique and belongs to its group', () => {
    const paths = commands.map(({ command }) => command.path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    for (const { group, command } of commands) {
      const words = command.path.split(' ');
      expect(words[0]).toBe(group.name);
      expect(words.length).toBe(command.path === group.name ? 1 : 2);
      if (command.path === group.name) expect(group.commands).toHaveLength(1);
    }
  });

  it('has all commands that existing scripts call', () => {
    const paths = new Set(named.map(([path]) => path));
    const known = [
      'login',
      'reset',
      'version',
      'help',
      'creds list',
      'svrconf show',
      'svrconf update',
      ...['list', 'describe', 'create', 'update', 'delete', 'ssh', 'exec', 'pem'].map(
        (word) => `stack ${word}`,
      ),
      ...['versions', 'describe', 'compare'].map((word) => `template ${word}`),
      ...['describe', 'sample', 'create', 'attach', 'delete'].map((word) => `rbac ${word}`),
      ...['catalog', 'tags', 'manifest', 'delete', 'token'].map((word) => `registry ${word}`),
    ];
    expect(known.filter((path) => !paths.has(path))).toEqual([]);
  });

  it('every setting has a global flag', () => {
    const names = new Set(globalFlags.map(({ name }) => name));
    expect(sources.map(({ flag }) => flag).filter((flag) => !names.has(flag))).toEqual([]);
  });
});

describe.each(named)('alm %s', (path, command) => {
  const flags = [...command.flags, ...globalFlags];

  it('flag names and letters are unique', () => {
    const names = [...valuesOf(command), ...valuesOf({ ...command, flags: globalFlags })];
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('refers only to declared flags', () => {
    const names = new Set(command.flags.map(({ name }) => name));
    for (const { needs } of command.flags) if (needs) expect(names).toContain(needs);
    expect((command.positionals ?? []).filter((name) => !names.has(name))).toEqual([]);
    // Optional positional arguments come after required ones.
    const isRequired = (command.positionals ?? []).map((name) =>
      Boolean(flags.find((flag) => flag.name === name)?.required),
    );
    expect(isRequired).toEqual(isRequired.toSorted((one, other) => Number(other) - Number(one)));
  });

  it('defaults are valid values of their flags', () => {
    for (const flag of command.flags) {
      if (flag.kind === 'number' && flag.default !== undefined) {
        expect(flag.default).toBeGreaterThanOrEqual(flag.min ?? 0);
        expect(flag.default).toBeLessThanOrEqual(flag.max ?? Number.MAX_SAFE_INTEGER);
      }
      if ((flag.kind === 'text' || flag.kind === 'list') && flag.choices && flag.default !== undefined)
        expect(flag.choices).toContain(flag.default);
      if (flag.required) expect(flag.default).toBeUndefined();
    }
  });

  it('examples are valid command lines', () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      const parsed = parse(groups, wordsOf(example));
      if (path === 'help') continue;
      if (parsed.kind !== 'run') throw new Error(`${example} is not a command`);
      expect(parsed.command.path).toBe(path);
      const version = parsed.args.text('apiver') === 'v2' ? 'v2' : 'v3';
      checkRules(parsed.command, parsed.args, version);
    }
  });

  it('loads its code', async () => {
    expect(typeof (await command.load())).toBe('function');
  });

  it('the help explains all its flags', () => {
    const text = helpText(groups, command);
    expect(text).toContain(command.about);
    for (const { name } of command.flags) expect(text).toContain(`--${name}`);
    // Sentences are composed of these texts.
    for (const about of [command.about, ...command.flags.map((flag) => flag.about)])
      expect(about).not.toMatch(/\.$|\n/);
  });
});
