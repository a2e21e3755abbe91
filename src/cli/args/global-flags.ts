import { type Flag, number, text, toggle } from './flag.ts';

/** Flags of every command, before or after the command name. */
export const globalFlags: readonly Flag[] = [
  text('token', 'access token', { value: 'token' }),
  text('url', 'URL of the service', { value: 'url' }),
  text('rurl', 'URL of the registry', { value: 'url' }),
  text('surl', 'URL for terminals, if not the URL of the service', { value: 'url' }),
  text('apiver', 'API version', { value: 'version', choices: ['v3', 'v2'] }),
  text('profile', 'configuration profile', { value: 'name', complete: 'profile' }),
  text('fmt', 'output format', {
    short: 'f',
    value: 'format',
    choices: ['json', 'raw', 'table', 'yaml', 'min'],
  }),
  text('out', 'write the output to a file', { short: 'o', value: 'file', complete: 'file' }),
  text('query', 'print only what this JMESPath expression selects; texts without quotes', {
    value: 'expression',
  }),
  number('indent', 'indent width of JSON; 2 unless configured otherwise', {
    min: 0,
    max: 10,
  }),
  number('timeout', 'seconds to wait for a response; 120 unless configured otherwise', {
    value: 'seconds',
    min: 1,
    max: 86_400,
  }),
  toggle('wide', 'tables on a terminal with all columns, uncut, and with exact times'),
  toggle('quiet', 'no messages except warnings and errors'),
  toggle('verbose', 'show every request and response, without secrets'),
  toggle('debug', 'show stack traces of errors'),
  toggle('help', 'show this help', { short: 'h' }),
];
