import { shellQuote } from '../../../basics/shell-quote.ts';

const isPlain = (text: string): boolean => /^[\w@%+=:,./-]+$/.test(text);

/** One word of a shown command, quoted where a shell would change it. Nothing typed yet: `<name>`. */
export const word = (text: string, instead: string): string => {
  if (text === '') return `<${instead}>`;
  return isPlain(text) ? text : shellQuote(text);
};

/** For what `alm` has no command. */
export const curlCommand = (method: 'PUT', path: string, body: object): string =>
  [
    `curl -X ${method} "$ALM_URL${path}" -H "Authorization: Bearer $ALM_TOKEN"`,
    `-H 'Content-Type: application/json' -d ${shellQuote(JSON.stringify(body))}`,
  ].join(' ');

/** A command about one stack. Without the version, `alm` does not find a stack of API v2. */
export const stackCommand = (
  act: string,
  { api, id }: { api: 'v2' | 'v3'; id: string },
  ...flags: readonly string[]
): string => ['alm stack', act, id, ...flags, ...(api === 'v2' ? ['--apiver v2'] : [])].join(' ');
