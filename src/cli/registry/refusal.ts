import { CliError, type CliErrorDetails } from '../cli-error.ts';
import { exitReasonOf } from '../exit-codes.ts';
import { challengeOf } from './challenge.ts';
import type { Answer } from './exchange.ts';

interface Said {
  code: string;
  message: string;
  detail?: unknown;
}

const isSaid = (each: unknown): each is Said =>
  typeof each === 'object' &&
  each !== null &&
  'code' in each &&
  typeof each.code === 'string' &&
  'message' in each &&
  typeof each.message === 'string';

/** What is in `{"errors":[{"code","message","detail"}]}`; none when the answer is something else. */
function errorsIn(text: string): Said[] {
  try {
    const body: unknown = JSON.parse(text);
    const hasErrors = typeof body === 'object' && body !== null && 'errors' in body;
    return hasErrors && Array.isArray(body.errors) ? body.errors.filter(isSaid) : [];
  } catch {
    return [];
  }
}

const lineOf = ({ code, message, detail }: Said): string =>
  `${code}: ${message}${detail === undefined || detail === null ? '' : ` ${JSON.stringify(detail)}`}`;

function linesOf({ text }: Answer): string[] {
  const errors = errorsIn(text);
  if (errors.length > 0) return errors.map(lineOf);
  return text.trim() === '' ? [] : [text.trim().slice(0, 500)];
}

/** What was wanted, for the sentences about why it was not to be had. */
export interface Wanted {
  registry: URL;
  scope: string;
  /** The image, without what of it. */
  name?: string | undefined;
  /** As people write it: `ann/shop:1.4`. */
  shown?: string | undefined;
}

const denied = ({ registry, scope }: Wanted, details: CliErrorDetails): CliError =>
  new CliError('forbidden', `${registry.origin} does not allow it: the token is not good for ${scope}.`, {
    ...details,
    hints: ['Another user: --username <name>', 'Another token: --scope <scope>'],
  });

const notTaken = ({ registry }: Wanted, service: string | undefined, details: CliErrorDetails): CliError =>
  new CliError('signIn', `${registry.origin} does not take the token.`, {
    ...details,
    hints: [
      ...(service === undefined ? [] : [`It calls itself ${service}: --service ${service}`]),
      'Is it set up to trust who gave the token, and do the clocks agree?',
    ],
  });

const switchedOff = ({ registry }: Wanted, details: CliErrorDetails): CliError =>
  new CliError('refused', `Deletion is switched off in the registry ${registry.origin}.`, {
    ...details,
    hints: ['Whoever runs it switches it on: REGISTRY_STORAGE_DELETE_ENABLED=true'],
  });

const missing = (
  { registry, name, shown }: Wanted,
  isNameKnown: boolean,
  details: CliErrorDetails,
): CliError =>
  new CliError('notFound', `There is no ${isNameKnown ? shown : name} at ${registry.origin}.`, {
    ...details,
    hints: [
      isNameKnown
        ? `What there is: alm registry tags --image ${name}`
        : 'What there is: alm registry catalog',
    ],
  });

const hintsFor = ({ status, headers }: Answer, isOfRegistry: boolean): string[] => {
  const { location, 'retry-after': later } = headers;
  if (status === 429 && later) return [`Come again in ${later} s.`];
  if (status >= 300 && status < 400 && location)
    return [`It points to ${location}: --rurl, ALM_REGISTRY_URL`];
  return isOfRegistry ? [] : ['Is the address of the registry right? --rurl, ALM_REGISTRY_URL'];
};

/** The registry's answer was no success: what that means. */
export function refusalOf(answer: Answer, wanted: Wanted): CliError {
  const { status, statusLine, text, headers } = answer;
  const codes = new Set(errorsIn(text).map(({ code }) => code));
  const details = { lines: linesOf(answer) };
  const challenge = challengeOf(headers);
  if (status === 403 || challenge?.error === 'insufficient_scope' || codes.has('DENIED'))
    return denied(wanted, details);
  if (status === 401) return notTaken(wanted, challenge?.service, details);
  if (status === 405 && codes.has('UNSUPPORTED')) return switchedOff(wanted, details);
  if (wanted.name !== undefined && codes.has('NAME_UNKNOWN')) return missing(wanted, false, details);
  if (status === 404 && wanted.shown !== undefined) return missing(wanted, true, details);
  return new CliError(exitReasonOf(status), `[${statusLine}] ${wanted.registry.origin} refused it.`, {
    ...details,
    hints: hintsFor(answer, codes.size > 0),
  });
}
