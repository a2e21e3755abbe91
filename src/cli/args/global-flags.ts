import { type Flag, number, text, toggle } from './flag.ts';

/** Understood by every command, before or after its words. */
export const globalFlags: readonly Flag[] = [
  text('token', 'access token', { value: 'token' }),
  text('url', 'address of the service', { value: 'url' }),
  text('rurl', 'address of the registry', { value: 'url' }),
  text('surl', 'address for terminals, where it is not that of the service', { value: 'url' }),
  text('apiver', 'version of the interface', { value: 'version', choices: ['v3', 'v2'] }),
  text('profile', 'which of your servers', { value: 'name', complete: 'profile' }),
  text('fmt', 'output format', {
    short: 'f',
    value: 'format',
    choices: ['json', 'raw', 'table', 'yaml', 'min'],
  }),
  text('out', 'write the output to a file', { short: 'o', value: 'file', complete: 'file' }),
  number('indent', 'indent width of JSON; 2 unless the configuration says otherwise', {
    least: 0,
    most: 10,
  }),
  number('timeout', 'seconds to wait for an answer; 120 unless the configuration says otherwise', {
    value: 'seconds',
    least: 1,
    most: 86_400,
  }),
  toggle('verbose', 'show every request and answer, never their secrets'),
  toggle('debug', 'show where an error came from'),
  toggle('help', 'show this help', { short: 'h' }),
];
