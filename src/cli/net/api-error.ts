import { isErrorBody } from '../../contract/client.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import { CliError, type CliErrorDetails } from '../cli-error.ts';
import { exitReasonOf } from '../exit-codes.ts';

interface ErrorResponse {
  status: number;
  /** `404 Not Found` */
  statusLine: string;
  text: string;
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Further hints of the caller. */
  hints?: readonly string[];
}

const parseErrorBody = (text: string): ErrorBody | null => {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : null;
  } catch {
    return null;
  }
};

/** Messages of the service name routes. At the command line, the command is more useful. */
const commands: readonly [route: RegExp, command: string][] = [
  [/\bPOST \/v[23]\/credentials\b/g, 'alm creds add'],
  [/\bGET \/v[23]\/credentials\b/g, 'alm creds list'],
  [/\bGET \/v3\/role\/templates\b/g, 'alm rbac templates'],
  [/\bGET \/v3\/user\/\S+\/role\b/g, 'alm rbac describe --user <name>'],
  [/\bGET \/v3\/role\b/g, 'alm rbac describe'],
];

const withCommands = (text: string): string =>
  commands.reduce((result, [route, command]) => result.replaceAll(route, command), text);

const hintsFor = (status: number, description: string): string[] => {
  // The description is about headers and endpoints.
  if (status === 401) return ['Sign in: alm login'];
  const advice = description === '' ? [] : [withCommands(description)];
  return status === 403 ? [...advice, 'To see your permissions: alm whoami --permissions'] : advice;
};

const problemLine = ({ path, message }: { path: string; message: string }): string =>
  withCommands(path === '' || message.startsWith(`${path} `) ? message : `${path}: ${message}`);

interface ErrorText {
  headline: string;
  details: CliErrorDetails;
}

/** Headline, problems and hints of an error body, without repetitions. */
function describeErrorBody(status: number, body: ErrorBody): ErrorText {
  const { error, message, description, problems = [], request_id: requestId } = body;
  const lines = problems.map(problemLine);
  const ids = requestId ? [`request id: ${requestId}`] : [];
  const isRepeated = problems.some((problem) => message.includes(problem.message));
  // For an invalid document the message is the first problem, and the description is the summary.
  if (error === 'invalid_template' && isRepeated)
    return { headline: description || message, details: { lines: [...lines, ...ids], hints: [] } };
  const shown = isRepeated && lines.length === 1 ? [] : lines;
  // The message is the one that existing clients know; the description names the action and who can allow it.
  if (status === 403 && description !== '' && message === 'RBAC response is limited.')
    return {
      headline: withCommands(description),
      details: { lines: [...shown, ...ids], hints: hintsFor(status, '') },
    };
  return {
    headline: withCommands(message),
    details: { lines: [...shown, ...ids], hints: hintsFor(status, description) },
  };
}

/** Describes a response of another server, or of a gateway in between. */
function describeForeignResponse({ status, text, headers }: ErrorResponse): ErrorText {
  const { location } = headers ?? {};
  if (status >= 300 && status < 400 && typeof location === 'string')
    return {
      headline: `The server redirects to ${location}.`,
      details: { hints: ['If Almanac is at that URL, use it: --url <url>'] },
    };
  const excerpt = text.trim().slice(0, 200);
  return {
    headline: 'The response is not from Almanac. Check the URL.',
    details: { lines: excerpt === '' ? [] : [excerpt], hints: hintsFor(status, '') },
  };
}

/** An error response of the service, or a response of another server. */
export class ApiError extends CliError {
  readonly status: number;
  readonly body: ErrorBody | null;

  constructor(response: ErrorResponse) {
    const { status, statusLine, text, headers, hints = [] } = response;
    const body = parseErrorBody(text);
    const { headline, details } = body ? describeErrorBody(status, body) : describeForeignResponse(response);
    const retryAfter = headers?.['retry-after'];
    const retry = status === 429 && typeof retryAfter === 'string' ? [`Retry after ${retryAfter} s.`] : [];
    super(exitReasonOf(status), `[${statusLine}] ${headline}`, {
      ...details,
      hints: [...(details.hints ?? []), ...retry, ...hints],
    });
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}
