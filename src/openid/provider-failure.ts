import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { Failure } from '../basics/failure.ts';

/** Text of another server: one short line of printable characters. */
const shown = (text: string): string => text.replaceAll(/[^\x20-\x7E]/g, '?').slice(0, 200);

export const unreachable = (issuer: string, cause: unknown): Failure =>
  new Failure('unavailable', `The OpenID provider ${issuer} cannot be reached or does not work`, {
    description: 'Sign in with a password, or try again later. The operator can check ALM_OIDC_ISSUER.',
    retryAfter: 30,
    cause,
  });

/** The library has the exact reason in the innermost error. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : 'unknown';

const invalidReply = (cause: unknown): Failure =>
  new Failure('forbidden', 'The reply of the OpenID provider is not valid', {
    description: `Reason: ${shown(reasonOf(cause))}. Sign in again.`,
    cause,
  });

/** The token endpoint rejected the request; `invalid_grant` means that the code expired or was used before. */
const refusedExchange = (issuer: string, cause: ResponseBodyError): Failure =>
  cause.error === 'invalid_grant'
    ? invalidReply(cause)
    : new Failure('unavailable', `The OpenID provider ${issuer} rejected Almanac: ${shown(cause.error)}`, {
        description: 'The operator can check ALM_OIDC_CLIENT_ID and ALM_OIDC_CLIENT_SECRET.',
        cause,
      });

/** Codes of the library for replies that are not from a working provider. */
const outages: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** Every error of an exchange with the provider as a failure for the person who signs in. */
export function providerFailure(issuer: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AuthorizationResponseError)
    return new Failure('forbidden', `The OpenID provider refused the sign-in: ${shown(error.error)}`, {
      description: shown(error.error_description ?? ''),
      cause: error,
    });
  if (error instanceof ResponseBodyError) return refusedExchange(issuer, error);
  const isOutage = error instanceof ClientError && outages.has(error.code ?? '');
  if (error instanceof TypeError || isOutage) return unreachable(issuer, error);
  return invalidReply(error);
}
