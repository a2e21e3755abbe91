import { describe, expect, it } from 'vitest';
import type { Args } from '../../../src/cli/args/args.ts';
import { checkRules } from '../../../src/cli/args/check-rules.ts';
import type { ApiVersion } from '../../../src/cli/args/flag.ts';
import { parse } from '../../../src/cli/args/parse.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { groups } from '../../../src/cli/groups.ts';

function argsOf(...argv: string[]): Args {
  const parsed = parse(groups, argv);
  if (parsed.kind !== 'run') throw new Error(`alm ${argv.join(' ')} is a request for help`);
  return parsed.args;
}

/** Message and hints of a usage error. */
function usageErrorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    expect(error.code).toBe(2);
    return [error.message, ...error.hints].join('\n');
  }
  return 'no error';
}

const errorFor = (...argv: string[]): string => usageErrorOf(() => argsOf(...argv));

function ruleErrorFor(version: ApiVersion, ...argv: string[]): string {
  return usageErrorOf(() => {
    const parsed = parse(groups, argv);
    if (parsed.kind === 'run') checkRules(parsed.command, parsed.args, version);
  });
}

describe('flags', () => {
  it('a flag takes its value after = or a space, by name or letter', () => {
    for (const argv of [['--fmt=json'], ['--fmt', 'json'], ['-f', 'json'], ['-fjson'], ['-f=json']])
      expect(argsOf('stack', 'list', ...argv).text('fmt'), argv.join(' ')).toBe('json');
    expect(argsOf('stack', 'list', '-o', 'list.json').text('out')).toBe('list.json');
    expect(argsOf('template', 'versions', '-i', 'mo-1').text('id')).toBe('mo-1');
    expect(argsOf('stack', 'create', '--nickname=a=b').text('nickname')).toBe('a=b');
    expect(argsOf('stack', 'create', '--nickname=').text('nickname')).toBe('');
  });

  it('global flags are accepted before, between and after the words of the command', () => {
    for (const argv of [
      ['--url', 'http://a', '--verbose', 'stack', 'describe', 'mo-1'],
      ['stack', '--url=http://a', '--verbose', 'describe', 'mo-1'],
      ['stack', 'describe', 'mo-1', '--url', 'http://a', '--verbose'],
    ]) {
      const found = argsOf(...argv);
      expect([found.text('url'), found.is('verbose'), found.text('id')]).toEqual(['http://a', true, 'mo-1']);
    }
  });

  it('a switch is on when present, or has the given value', () => {
    expect(argsOf('stack', 'delete', 'mo-1', '--wait').is('wait')).toBe(true);
    expect(argsOf('stack', 'delete', 'mo-1', '--wait=true').is('wait')).toBe(true);
    const off = argsOf('stack', 'delete', 'mo-1', '--wait=false');
    expect([off.is('wait'), off.has('wait')]).toEqual([false, true]);
    expect(argsOf('stack', 'delete', 'mo-1').has('wait')).toBe(false);
    expect(errorFor('stack', 'delete', 'mo-1', '--wait=maybe')).toContain(
      'Invalid value for --wait: "maybe". It must be true or false.',
    );
  });

  it('a list flag is repeated or comma-separated', () => {
    const targets = (...argv: string[]) => argsOf('stack', 'exec', '--script', 'x', ...argv).list('target');
    expect(targets('--target', 'a', '--target=b,c')).toEqual(['a', 'b', 'c']);
    expect(targets('--target', ',a,')).toEqual(['a']);
    expect(targets()).toEqual([]);
  });

  it('the last value of a repeated flag wins', () => {
    expect(argsOf('stack', 'list', '--fmt', 'json', '-f', 'yaml').text('fmt')).toBe('yaml');
  });

  it('aliases used by existing scripts are accepted', () => {
    const password = (...argv: string[]) =>
      argsOf('stack', 'create', '--apiver=v2', ...argv).text('dhub-pass');
    expect(password('--dhub-pass', 'x')).toBe('x');
    expect(password('--dbuh-pass', 'x')).toBe('x');
    expect(argsOf('stack', 'create', '--file', 'a.yaml').text('alm-template')).toBe('a.yaml');
  });

  it('the API version is accepted with and without its letter', () => {
    for (const written of ['v2', '2'])
      expect(argsOf('--apiver', written, 'stack', 'list').text('apiver')).toBe('v2');
    expect(errorFor('stack', 'list', '--apiver', '4')).toContain('Invalid value for --apiver: "v4"');
  });

  it('a default does not count as present', () => {
    const found = argsOf('stack', 'create');
    expect([found.number('min'), found.has('min')]).toEqual([2, false]);
    expect(argsOf('stack', 'update', 'mo-1').number('min')).toBeUndefined();
  });

  it.each([
    [
      ['stack', 'list', '--indent', 'two'],
      'Invalid value for --indent: "two". It must be an integer from 0 to 10.',
    ],
    [['stack', 'list', '--indent', '11'], 'from 0 to 10'],
    [['stack', 'list', '--indent', '-1'], ': "-1"'],
    [['stack', 'list', '--indent', '1.5'], ': "1.5"'],
    [['stack', 'list', '--fmt'], '--fmt requires a value.\n--fmt=<format>'],
    [['stack', 'list', '--fmt', '--verbose'], '"--verbose" looks like another flag'],
    [['stack', 'list', '--fmt', 'jason'], 'Did you mean: json'],
    [['stack', 'list', '--fmt', 'picture'], 'Valid values: json, raw, table, yaml, min'],
  ])('rejects invalid values: %j: %s', (argv, message) => {
    expect(errorFor(...argv)).toContain(message);
  });
});

describe('positional arguments', () => {
  it('positional arguments set the flags the command declares', () => {
    expect(argsOf('stack', 'describe', 'mo-1').text('id')).toBe('mo-1');
    const found = argsOf('stack', 'rollback', '--wait', 'mo-1', 'v-7');
    expect([found.text('id'), found.text('ver'), found.is('wait')]).toEqual(['mo-1', 'v-7', true]);
    expect(argsOf('template', 'apply', '-').text('alm-template')).toBe('-');
  });

  it('words after -- are not parsed as flags', () => {
    expect(argsOf('client', 'create', '--', '--label').text('label')).toBe('--label');
    expect(errorFor('client', 'create', '--', '--help', 'x')).toContain('Unexpected argument "x"');
  });

  it('rejects extra arguments and flags given twice', () => {
    expect(errorFor('stack', 'describe', 'mo-1', 'mo-2')).toContain('Unexpected argument "mo-2"');
    expect(errorFor('version', 'x')).toContain('Unexpected argument "x"');
    expect(errorFor('stack', 'describe', '--id', 'mo-1', 'mo-2')).toContain('--id is given twice');
  });

  it('suggests the closest command or flag for an unknown one', () => {
    expect(errorFor('stak', 'list')).toContain('Unknown command "alm stak".\nDid you mean: alm stack');
    expect(errorFor('stack', 'lst')).toContain('Did you mean: alm stack list');
    expect(errorFor('zzzzzz')).toContain('Commands: login, whoami, status, stack');
    expect(errorFor('stack', 'describe', '--idd', 'x')).toContain('Did you mean: --id');
    expect(errorFor('stack', 'describe', '--zzzzzz')).toContain('See: alm stack describe --help');
    expect(errorFor('stack', 'describe', '-z')).toContain('Unknown flag -z for "alm stack describe"');
    expect(errorFor('stack', 'list', '--f=json')).toContain('Unknown flag --f for');
    expect(errorFor('stack', 'list', '--constructor')).toContain('Unknown flag --constructor for');
  });

  it.each([
    [[], null, true],
    [['help'], null, true],
    [['--help'], null, true],
    [['stack'], 'stack', false],
    [['help', 'stack'], 'stack', true],
    [['stack', '-h'], 'stack', true],
    [['help', 'stack', 'list'], 'stack list', true],
    [['stack', 'create', '--nonsense', '--help'], 'stack create', true],
  ])('%j shows the help for %s', (argv, about, isRequested) => {
    const parsed = parse(groups, argv);
    if (parsed.kind !== 'help') throw new Error('Parsed as a command');
    const name = parsed.about && ('path' in parsed.about ? parsed.about.path : parsed.about.name);
    expect([name, parsed.isRequested]).toEqual([about, isRequested]);
  });
});

describe('rules between flags', () => {
  it.each<[ApiVersion, string[], string]>([
    ['v3', ['stack', 'create', '--alm-template', 'a'], 'no error'],
    ['v3', ['stack', 'create'], '--alm-template is required with API v3'],
    ['v3', ['stack', 'create', '--alm-template='], '--alm-template is required'],
    ['v2', ['stack', 'create'], 'no error'],
    ['v2', ['stack', 'create', '--alm-template', 'a'], '--alm-template is supported in API v3 only'],
    ['v3', ['stack', 'create', '--alm-template', 'a', '--min', '3'], 'add: --apiver v2'],
    ['v2', ['stack', 'create', '--dbengine', 'db_mysql'], '--dbengine requires --usedb.\nAdd: --usedb'],
    ['v2', ['stack', 'create', '--usedb=false', '--dbstorage', '5'], '--dbstorage requires --usedb'],
    ['v2', ['stack', 'create', '--usedb', '--dbstorage', '5'], 'no error'],
    ['v2', ['stack', 'create', '--usedb', '--dbstorage', '6145'], 'from 5 to 6144'],
    ['v3', ['stack', 'describe'], '--id is required: ID or nickname of the stack.'],
    ['v3', ['stack', 'describe', ''], '--id is required'],
    ['v3', ['stack', 'exec', '--script', 'x', '--target', ','], '--target is required'],
    ['v2', ['stack', 'update', 'mo-1'], 'no error'],
    ['v3', ['stack', 'update', 'mo-1'], '--alm-template is required with API v3'],
    [
      'v2',
      ['--apiver', 'v2', 'template', 'versions', 'mo-1'],
      'is supported in API v3 only.\nOmit: --apiver v2',
    ],
    ['v2', ['template', 'versions', 'mo-1'], 'no error'],
    ['v3', ['svrconf', 'show', 'mo-1'], 'no error'],
    [
      'v3',
      ['stack', 'create', '--alm-template=a', '-f', 'table'],
      'does not support --fmt table. Supported: json',
    ],
    ['v3', ['stack', 'wait', 'mo-1', '-f', 'json'], '"alm stack wait" does not support --fmt'],
    ['v3', ['stack', 'delete', 'mo-1', '--wait-timeout', '5'], '--wait-timeout requires --wait'],
  ])('checks rules between flags: %s: %j: %s', (version, argv, message) => {
    expect(ruleErrorFor(version, ...argv)).toContain(message);
  });
});
