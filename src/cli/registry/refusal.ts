import { CliError, type CliErrorDetails } from '../cli-error.ts';
import { exitReasonOf } from '../exit-codes.ts';
import { challengeOf } from './challenge.ts';
import type { RegistryResponse } from './exchange.ts';

interface RegistryError {
  code: string;
  message: string;
  detail?: unknown;
}

const isRegistryError = (each: unknown): each is RegistryError =>
  typeof each === 'object' &&
  each !== null &&
  'code' in each &&
  typeof each.code === 'string' &&
  'message' in each &&
  typeof each.message === 'string';

/** Parses `{"errors":[{"code","message","detail"}]}`; empty for any other body. */
function errorsIn(text: string): RegistryError[] {
  try {
    const body: unknown = JSON.parse(text);
    const hasErrors = typeof body === 'object' && body !== null && 'errors' in body;
    return hasErrors && Array.isArray(body.errors) ? body.errors.filter(isRegistryError) : [];
  } catch {
    return [];
  }
}

const lineOf = ({ code, message, detail }: RegistryError): string =>
  `${code}: ${message}${detail === undefined || detail === null ? '' : ` ${JSON.stringify(detail)}`}`;

function linesOf({ text }: RegistryResponse): string[] {
  const errors = errorsIn(text);
  if (errors.length > 0) return errors.map(lineOf);
  return text.trim() === '' ? [] : [text.trim().slice(0, 500)];
}

/** The failed request, for error messages. */
export interface FailedRequest {
  registry: URL;
  scope: string;
  /** The image without its reference. */
  name?: string | undefined;
  /** The image with its reference: `ann/shop:1.4`. */
  image?: string | undefined;
}

const denied = ({ registry, scope }: FailedRequest, details: CliErrorDetails): CliError =>
  new CliError('forbidden', `Permission denied by ${registry.origin}: the token does not grant ${scope}.`, {
    ...details,
    hints: ['To use another user: --username <name>', 'To request another scope: --scope <scope>'],
  });

const tokenRejected = (
  { registry }: FailedRequest,
  service: string | undefined,
  details: CliErrorDetails,
): CliError =>
  new CliError('signIn', `${registry.origin} rejected the token.`, {
    ...details,
    hints: [
      ...(service === undefined ? [] : [`Its service name is ${service}: --service ${service}`]),
      'Check that the registry trusts the token issuer and that the clocks agree.',
    ],
  });

const deletionDisabled = ({ registry }: FailedRequest, details: CliErrorDetails): CliError =>
  new CliError('refused', `Deletion is disabled in the registry ${registry.origin}.`, {
    ...details,
    hints: ['To enable it in the registry: REGISTRY_STORAGE_DELETE_ENABLED=true'],
  });

const notFound = (
  { registry, name, image }: FailedRequest,
  isNameFound: boolean,
  details: CliErrorDetails,
): CliError =>
  new CliError('notFound', `${isNameFound ? image : name} not found at ${registry.origin}.`, {
    ...details,
    hints: [
      isNameFound
        ? `To list its tags: alm registry tags --image ${name}`
        : 'To list the images: alm registry catalog',
    ],
  });

const hintsFor = ({ status, headers }: RegistryResponse, isRegistry: boolean): string[] => {
  const { location, 'retry-after': retryAfter } = headers;
  if (status === 429 && retryAfter) return [`Retry after ${retryAfter} s.`];
  if (status >= 300 && status < 400 && location)
    return [`It redirects to ${location}. To use that address: --rurl, ALM_REGISTRY_URL`];
  return isRegistry ? [] : ['Check the registry address: --rurl, ALM_REGISTRY_URL'];
};

/** The error for an unsuccessful response of the registry. */
export function refusalOf(response: RegistryResponse, request: FailedRequest): CliError {
  const { status, statusLine, text, headers } = response;
  const codes = new Set(errorsIn(text).map(({ code }) => code));
  const details = { lines: linesOf(response) };
  const challenge = challengeOf(headers);
  if (status === 403 || challenge?.error === 'insufficient_scope' || codes.has('DENIED'))
    return denied(request, details);
  if (status === 401) return tokenRejected(request, challenge?.service, details);
  if (status === 405 && codes.has('UNSUPPORTED')) return deletionDisabled(request, details);
  if (request.name !== undefined && codes.has('NAME_UNKNOWN')) return notFound(request, false, details);
  if (status === 404 && request.image !== undefined) return notFound(request, true, details);
  return new CliError(
    exitReasonOf(status),
    `[${statusLine}] ${request.registry.origin} rejected the request.`,
    {
      ...details,
      hints: hintsFor(response, codes.size > 0),
    },
  );
}
