import { Failure, type FailureKind, failureKinds } from '../../basics/failure.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { Route } from '../../contract/route.ts';

export interface ErrorContext {
  requestId: string;
  /** Null: not a token endpoint. */
  style: Route['errorStyle'] | null;
  usedBasic: boolean;
}

interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

const frameworkFailures: Readonly<Record<number, [FailureKind, string]>> = {
  400: ['invalid_request', 'The request is malformed'],
  404: ['not_found', 'No such route'],
  413: ['too_large', 'The request body is larger than 1 MiB'],
  414: ['not_found', 'No such route'],
  415: ['unsupported_media_type', 'Unsupported Content-Type'],
  431: ['too_large', 'The request headers are too large'],
};

const isFrameworkError = (error: unknown): error is { code: string; statusCode: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_') && 'statusCode' in error;

/** Converts any thrown value to a failure. Unexpected errors reveal no internal details. */
export const toFailure = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  const known = isFrameworkError(error) ? frameworkFailures[error.statusCode] : undefined;
  if (known) return new Failure(known[0], known[1]);
  return new Failure('internal', 'Internal server error', {
    description: 'The error has been logged. Include the request_id in support requests.',
    cause: error,
  });
};

const rfc6749Errors = new Set<FailureKind>([
  'invalid_client',
  'invalid_grant',
  'mfa_required',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** RFC 6749 defines few error codes; all other client errors are `invalid_request`. */
const oauthError = (kind: FailureKind): string => {
  if (kind === 'unauthorized') return 'invalid_client';
  if (kind === 'account_suspended') return 'access_denied';
  const { status } = failureKinds[kind];
  return rfc6749Errors.has(kind) || status === 429 || status >= 500 ? kind : 'invalid_request';
};

const challenge = (kind: FailureKind, context: ErrorContext): string => {
  if (context.style === 'registry') return 'Basic realm="Almanac registry"';
  if (kind !== 'invalid_client') return 'Bearer error="invalid_token"';
  // Browsers prompt for a password on a Basic challenge, so send it only to clients that used Basic.
  return context.usedBasic ? 'Basic realm="almanac"' : 'Bearer realm="almanac"';
};

const headersOf = (failure: Failure, status: number, context: ErrorContext): Record<string, string> => ({
  ...(status === 401 ? { 'www-authenticate': challenge(failure.kind, context) } : {}),
  ...(failure.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(failure.retryAfter)) }),
  ...(context.style ? { 'cache-control': 'no-store' } : {}),
});

/** Codes of the registry's API; its clients show the message alone. */
const registryCodes: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'DENIED',
  429: 'TOOMANYREQUESTS',
};

const registryError = ({ kind, message, description }: Failure): { code: string; message: string } => ({
  code: registryCodes[failureKinds[kind].status] ?? 'UNKNOWN',
  message: description ? `${message}. ${description}` : message,
});

type Asked = Pick<Failure['stores'][number], 'confirm' | 'sentences'>;

const presentStore = <T extends Asked>({ confirm, sentences, ...store }: T) => ({
  ...store,
  confirm: [...confirm],
  sentences: [...sentences],
});

const bodyOf = (failure: Failure, context: ErrorContext): ErrorBody => ({
  code: failureKinds[failure.kind].code,
  error: context.style ? oauthError(failure.kind) : failure.kind,
  message: failure.message,
  description: failure.description,
  request_id: context.requestId,
  ...(failure.problems.length > 0 ? { problems: [...failure.problems] } : {}),
  ...(failure.stores.length > 0 ? { stores: failure.stores.map(presentStore) } : {}),
  ...(failure.returning.length > 0 ? { returning: failure.returning.map(presentStore) } : {}),
  ...(failure.kind === 'forbidden' ? { RBAC: 'Action not allowed' } : {}),
  ...(context.style ? { error_description: failure.description || failure.message } : {}),
  ...(context.style === 'registry' ? { errors: [registryError(failure)] } : {}),
});

/** Error body with its status and headers. */
export const errorReply = (error: unknown, context: ErrorContext): ErrorReply => {
  const failure = toFailure(error);
  const { status } = failureKinds[failure.kind];
  return { status, headers: headersOf(failure, status, context), body: bodyOf(failure, context) };
};
