import { isErrorBody } from '../../contract/client.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import { CliError, type CliErrorDetails } from '../cli-error.ts';
import { endingOfStatus } from '../exit-codes.ts';

interface Refusal {
  status: number;
  /** `404 Not Found` */
  statusLine: string;
  text: string;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** What the caller knows to try. */
  hints?: readonly string[];
}

const parsed = (text: string): ErrorBody | null => {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : null;
  } catch {
    return null;
  }
};

/** The service speaks to programs. To whoever sits at a command line, the command says more than the route. */
const commands: readonly [route: RegExp, command: string][] = [
  [/\bPOST \/v[23]\/credentials\b/g, 'alm creds add'],
  [/\bGET \/v[23]\/credentials\b/g, 'alm creds list'],
  [/\bGET \/v3\/role\/templates\b/g, 'alm rbac templates'],
  [/\bGET \/v3\/user\/\S+\/role\b/g, 'alm rbac describe --user <name>'],
  [/\bGET \/v3\/role\b/g, 'alm rbac describe'],
];

const inCommands = (text: string): string =>
  commands.reduce((said, [route, command]) => said.replaceAll(route, command), text);

const hintsFor = (status: number, description: string): string[] => {
  // Its advice is about headers and endpoints.
  if (status === 401) return ['Sign in: alm login'];
  const advice = description === '' ? [] : [inCommands(description)];
  return status === 403 ? [...advice, 'See what you may: alm rbac mine'] : advice;
};

const problemLine = ({ path, message }: { path: string; message: string }): string =>
  inCommands(path === '' || message.startsWith(`${path} `) ? message : `${path}: ${message}`);

/** What happened, then what is wrong in detail, then what to try; nothing twice. */
function inWords(status: number, body: ErrorBody): { headline: string; details: CliErrorDetails } {
  const { error, message, description, problems = [], request_id: requestId } = body;
  const lines = problems.map(problemLine);
  const ids = requestId ? [`request id: ${requestId}`] : [];
  const isRepeated = problems.some((problem) => message.includes(problem.message));
  // Of a document with mistakes the message is the first mistake, and the description says what came of it.
  if (error === 'invalid_template' && isRepeated)
    return { headline: description || message, details: { lines: [...lines, ...ids], hints: [] } };
  const shown = isRepeated && lines.length === 1 ? [] : lines;
  return {
    headline: inCommands(message),
    details: { lines: [...shown, ...ids], hints: hintsFor(status, description) },
  };
}

/** Not the service: somebody else lives there, or stands between us. */
function ofStranger({ status, text, headers }: Refusal): { headline: string; details: CliErrorDetails } {
  const { location } = headers ?? {};
  if (status >= 300 && status < 400 && typeof location === 'string')
    return {
      headline: `You are sent to ${location}.`,
      details: { hints: ['If that is where Almanac is, give its address: --url <address>'] },
    };
  const begins = text.trim().slice(0, 200);
  return {
    headline: 'The answer is not one of Almanac; is the address right?',
    details: { lines: begins === '' ? [] : [begins], hints: hintsFor(status, '') },
  };
}

/** The service answered, but not with what was asked for. */
export class Refused extends CliError {
  readonly status: number;
  readonly body: ErrorBody | null;

  constructor(refusal: Refusal) {
    const { status, statusLine, text, headers, hints = [] } = refusal;
    const body = parsed(text);
    const { headline, details } = body ? inWords(status, body) : ofStranger(refusal);
    const later = headers?.['retry-after'];
    const wait = status === 429 && typeof later === 'string' ? [`Try again in ${later} s.`] : [];
    super(endingOfStatus(status), `[${statusLine}] ${headline}`, {
      ...details,
      hints: [...(details.hints ?? []), ...wait, ...hints],
    });
    this.name = 'Refused';
    this.status = status;
    this.body = body;
  }
}
