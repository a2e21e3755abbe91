import type { Clock } from '../../basics/clock.ts';
import type { Received } from './http.ts';

/** What `--verbose` shows of the calls. */
export interface Trace {
  asked(method: string, url: URL, headers: Readonly<Record<string, string>>): void;
  answered(received: Received): void;
  ended(): void;
}

export const silentTrace: Trace = { asked: () => {}, answered: () => {}, ended: () => {} };

const secretHeader = /authorization|cookie|token|secret/i;
/** Links and tickets open doors by themselves. */
const secretPath = /(\/alm\/pem\/|\/tty\/|[?&](?:ticket|token)=)[^/?&]+/g;

export function loudTrace(clock: Clock, say: (line: string) => void): Trace {
  let began = clock.now();
  const sayHeaders = (word: string, headers: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(headers))
      say(`[${word}] ${name}: [${secretHeader.test(name) ? 'not shown' : String(value)}]`);
  };
  return {
    asked: (method, url, headers) => {
      began = clock.now();
      say(`[URL] ${url.href.replace(secretPath, '$1…')}`);
      say(`[METHOD] ${method}`);
      sayHeaders('REQUEST', headers);
    },
    answered: ({ statusLine, headers }) => {
      sayHeaders('RESPONSE', headers);
      say(`[STATUS] ${statusLine}`);
    },
    ended: () => say(`Elapsed time: ${clock.now() - began}ms`),
  };
}
