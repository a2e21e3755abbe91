import type { Clock } from '../../basics/clock.ts';
import type { HttpResponse } from './http.ts';

/** Receives every request and response, for `--verbose`. */
export interface Trace {
  request(method: string, url: URL, headers: Readonly<Record<string, string>>): void;
  response(response: HttpResponse): void;
  done(): void;
}

export const noTrace: Trace = { request: () => {}, response: () => {}, done: () => {} };

const secretHeader = /authorization|cookie|token|secret/i;
/** Key links and terminal tickets grant access by themselves. */
const secretPath = /(\/alm\/pem\/|\/tty\/|[?&](?:ticket|token)=)[^/?&]+/g;

export function verboseTrace(clock: Clock, print: (line: string) => void): Trace {
  let startedAt = clock.now();
  const printHeaders = (label: string, headers: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(headers))
      print(`[${label}] ${name}: [${secretHeader.test(name) ? 'not shown' : String(value)}]`);
  };
  return {
    request: (method, url, headers) => {
      startedAt = clock.now();
      print(`[URL] ${url.href.replace(secretPath, '$1…')}`);
      print(`[METHOD] ${method}`);
      printHeaders('REQUEST', headers);
    },
    response: ({ statusLine, headers }) => {
      printHeaders('RESPONSE', headers);
      print(`[STATUS] ${statusLine}`);
    },
    done: () => print(`Elapsed time: ${clock.now() - startedAt}ms`),
  };
}
