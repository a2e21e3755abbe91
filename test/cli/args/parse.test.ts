import { describe, expect, it } from 'vitest';
import type { Args } from '../../../src/cli/args/args.ts';
import { checkRules } from '../../../src/cli/args/check-rules.ts';
import type { ApiVersion } from '../../../src/cli/args/flag.ts';
import { parse } from '../../../src/cli/args/parse.ts';
import { CliError } from '../../../src/cli/cli-error.ts';
import { groups } from '../../../src/cli/groups.ts';

function given(...argv: string[]): Args {
  const parsed = parse(groups, argv);
  if (parsed.kind !== 'run') throw new Error(`alm ${argv.join(' ')} asks for help`);
  return parsed.args;
}

/** What is said about a command line that is wrong, hints and all. */
function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    expect(error.code).toBe(2);
    return [error.message, ...error.hints].join('\n');
  }
  return 'nothing is wrong';
}

const complaintAbout = (...argv: string[]): string => complaint(() => given(...argv));

function ruleBroken(version: ApiVersion, ...argv: string[]): string {
  return complaint(() => {
    const parsed = parse(groups, argv);
    if (parsed.kind === 'run') checkRules(parsed.command, parsed.args, version);
  });
}

describe('flags', () => {
  it('take a value after = or a space, by their name or their letter', () => {
    for (const argv of [['--fmt=json'], ['--fmt', 'json'], ['-f', 'json'], ['-fjson'], ['-f=json']])
      expect(given('stack', 'list', ...argv).text('fmt'), argv.join(' ')).toBe('json');
    expect(given('stack', 'list', '-o', 'list.json').text('out')).toBe('list.json');
    expect(given('template', 'versions', '-i', 'mo-1').text('id')).toBe('mo-1');
    expect(given('stack', 'create', '--nickname=a=b').text('nickname')).toBe('a=b');
    expect(given('stack', 'create', '--nickname=').text('nickname')).toBe('');
  });

  it('that are global stand before, between or after the words', () => {
    for (const argv of [
      ['--url', 'http://a', '--verbose', 'stack', 'describe', 'mo-1'],
      ['stack', '--url=http://a', '--verbose', 'describe', 'mo-1'],
      ['stack', 'describe', 'mo-1', '--url', 'http://a', '--verbose'],
    ]) {
      const found = given(...argv);
      expect([found.text('url'), found.is('verbose'), found.text('id')]).toEqual(['http://a', true, 'mo-1']);
    }
  });

  it('that are switches are on, or what is said of them', () => {
    expect(given('stack', 'delete', 'mo-1', '--wait').is('wait')).toBe(true);
    expect(given('stack', 'delete', 'mo-1', '--wait=true').is('wait')).toBe(true);
    const off = given('stack', 'delete', 'mo-1', '--wait=false');
    expect([off.is('wait'), off.has('wait')]).toEqual([false, true]);
    expect(given('stack', 'delete', 'mo-1').has('wait')).toBe(false);
    expect(complaintAbout('stack', 'delete', 'mo-1', '--wait=maybe')).toContain('--wait is true or false');
  });

  it('that are lists are repeated, or written with commas', () => {
    const targets = (...argv: string[]) => given('stack', 'exec', '--script', 'x', ...argv).list('target');
    expect(targets('--target', 'a', '--target=b,c')).toEqual(['a', 'b', 'c']);
    expect(targets('--target', ',a,')).toEqual(['a']);
    expect(targets()).toEqual([]);
  });

  it('that are not lists count as written last', () => {
    expect(given('stack', 'list', '--fmt', 'json', '-f', 'yaml').text('fmt')).toBe('yaml');
  });

  it('have several spellings where existing scripts do', () => {
    const password = (...argv: string[]) =>
      given('stack', 'create', '--apiver=v2', ...argv).text('dhub-pass');
    expect(password('--dhub-pass', 'x')).toBe('x');
    expect(password('--dbuh-pass', 'x')).toBe('x');
    expect(given('stack', 'create', '--file', 'a.yaml').text('alm-template')).toBe('a.yaml');
  });

  it('name the interface with or without its letter', () => {
    for (const written of ['v2', '2'])
      expect(given('--apiver', written, 'stack', 'list').text('apiver')).toBe('v2');
    expect(complaintAbout('stack', 'list', '--apiver', '4')).toContain('--apiver cannot be "v4"');
  });

  it('have defaults that are not taken for written', () => {
    const found = given('stack', 'create');
    expect([found.number('min'), found.has('min')]).toEqual([2, false]);
    expect(given('stack', 'update', 'mo-1').number('min')).toBeUndefined();
  });

  it.each([
    [['stack', 'list', '--indent', 'two'], '--indent is a whole number from 0 to 10, not "two"'],
    [['stack', 'list', '--indent', '11'], 'from 0 to 10'],
    [['stack', 'list', '--indent', '-1'], 'not "-1"'],
    [['stack', 'list', '--indent', '1.5'], 'not "1.5"'],
    [['stack', 'list', '--fmt'], '--fmt needs a value.\n--fmt=<format>'],
    [['stack', 'list', '--fmt', '--verbose'], '"--verbose" looks like another flag'],
    [['stack', 'list', '--fmt', 'jason'], 'Did you mean: json'],
    [['stack', 'list', '--fmt', 'picture'], 'It may be: json, raw, table, yaml, min'],
  ])('%j: %s', (argv, said) => {
    expect(complaintAbout(...argv)).toContain(said);
  });
});

describe('words', () => {
  it('are taken for flags where the table says so', () => {
    expect(given('stack', 'describe', 'mo-1').text('id')).toBe('mo-1');
    const found = given('stack', 'rollback', '--wait', 'mo-1', 'v-7');
    expect([found.text('id'), found.text('ver'), found.is('wait')]).toEqual(['mo-1', 'v-7', true]);
    expect(given('template', 'apply', '-').text('alm-template')).toBe('-');
  });

  it('after -- are no flags', () => {
    expect(given('client', 'create', '--', '--label').text('label')).toBe('--label');
    expect(complaintAbout('client', 'create', '--', '--help', 'x')).toContain('"x" is one word too many');
  });

  it('are neither too many nor said twice', () => {
    expect(complaintAbout('stack', 'describe', 'mo-1', 'mo-2')).toContain('"mo-2" is one word too many');
    expect(complaintAbout('version', 'x')).toContain('"x" is one word too many');
    expect(complaintAbout('stack', 'describe', '--id', 'mo-1', 'mo-2')).toContain('--id is given twice');
  });

  it('that are unknown get the one that was probably meant', () => {
    expect(complaintAbout('stak', 'list')).toContain(
      'There is no command "alm stak".\nDid you mean: alm stack',
    );
    expect(complaintAbout('stack', 'lst')).toContain('Did you mean: alm stack list');
    expect(complaintAbout('zzzzzz')).toContain('There are: login, stack');
    expect(complaintAbout('stack', 'describe', '--idd', 'x')).toContain('Did you mean: --id');
    expect(complaintAbout('stack', 'describe', '--zzzzzz')).toContain('See: alm stack describe --help');
    expect(complaintAbout('stack', 'describe', '-z')).toContain('-z is not a flag of "alm stack describe"');
    expect(complaintAbout('stack', 'list', '--f=json')).toContain('--f is not a flag');
    expect(complaintAbout('stack', 'list', '--constructor')).toContain('--constructor is not a flag');
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
  ])('%j ask for help about %s', (argv, about, asked) => {
    const parsed = parse(groups, argv);
    if (parsed.kind !== 'help') throw new Error('It would run');
    const name = parsed.about && ('path' in parsed.about ? parsed.about.path : parsed.about.name);
    expect([name, parsed.asked]).toEqual([about, asked]);
  });
});

describe('rules between flags', () => {
  it.each<[ApiVersion, string[], string]>([
    ['v3', ['stack', 'create', '--alm-template', 'a'], 'nothing is wrong'],
    ['v3', ['stack', 'create'], '--alm-template is needed with interface v3'],
    ['v3', ['stack', 'create', '--alm-template='], '--alm-template is needed'],
    ['v2', ['stack', 'create'], 'nothing is wrong'],
    ['v2', ['stack', 'create', '--alm-template', 'a'], '--alm-template means something in v3 only'],
    ['v3', ['stack', 'create', '--alm-template', 'a', '--min', '3'], 'add: --apiver v2'],
    ['v2', ['stack', 'create', '--dbengine', 'db_mysql'], '--dbengine needs --usedb.\nAdd: --usedb'],
    ['v2', ['stack', 'create', '--usedb=false', '--dbstorage', '5'], '--dbstorage needs --usedb'],
    ['v2', ['stack', 'create', '--usedb', '--dbstorage', '5'], 'nothing is wrong'],
    ['v2', ['stack', 'create', '--usedb', '--dbstorage', '6145'], 'from 5 to 6144'],
    ['v3', ['stack', 'describe'], '--id is needed: the stack.'],
    ['v3', ['stack', 'describe', ''], '--id is needed'],
    ['v3', ['stack', 'exec', '--script', 'x', '--target', ','], '--target is needed'],
    ['v2', ['stack', 'update', 'mo-1'], 'nothing is wrong'],
    ['v3', ['stack', 'update', 'mo-1'], '--alm-template is needed with interface v3'],
    ['v2', ['--apiver', 'v2', 'template', 'versions', 'mo-1'], 'exists in v3 only.\nLeave out: --apiver v2'],
    ['v2', ['template', 'versions', 'mo-1'], 'nothing is wrong'],
    ['v3', ['svrconf', 'show', 'mo-1'], 'nothing is wrong'],
    ['v3', ['stack', 'create', '--alm-template=a', '-f', 'table'], 'cannot show table. It may be: json'],
    ['v3', ['version', '-f', 'json'], '"alm version" has no --fmt'],
    ['v3', ['stack', 'delete', 'mo-1', '--wait-timeout', '5'], '--wait-timeout needs --wait'],
  ])('%s: %j: %s', (version, argv, said) => {
    expect(ruleBroken(version, ...argv)).toContain(said);
  });
});
