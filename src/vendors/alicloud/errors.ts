import { type Answer, accepted, CredentialRejected, refused, Unreachable } from '../vendor.ts';

/** The members that errors of the SDK may have. */
interface SdkError extends Error {
  code?: string;
  statusCode?: number;
  /** The answer of the service. */
  data?: { Message?: string; message?: string };
}

/** An answer that rejects a request. */
export class CloudError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Failures on the side of the cloud, and work of it that must end first. */
const temporary =
  /^(Throttling|ServiceUnavailable|InternalError|(OperationFailed\.)?LastTokenProcessing|SignatureNonceUsed|TaskConflict|IncorrectVpcStatus|ScalingActivityInProgress)/;

const rejectedKey =
  /^(InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|InvalidSecurityToken|InvalidTimeStamp)/;
const missingRight = /^(NoPermission|Forbidden|NotAuthorized|Unauthorized|ImplicitDeny)/;
/** Some services reject with 403 what the state of a resource, a limit or a value does not allow. */
const otherForbidden =
  /^(Incorrect|Invalid|Quota|OperationDenied|DependencyViolation|Forbidden\.VpcNotFound)|LimitExceeded/;

const keyMeanings: readonly [code: RegExp, meaning: string][] = [
  [
    /^InvalidAccessKeyId/,
    'Alibaba Cloud does not know the access key, or the key is disabled. Enable it, or save a valid key under the same id',
  ],
  [/^InvalidTimeStamp/, 'The clock of this server is wrong. Correct it'],
  [/^InvalidSecurityToken/, 'The temporary access key has expired. Save a valid key under the same id'],
  [/./, 'The secret does not belong to the access key. Save both again under the same id'],
];

/** Node's own errors, such as ERR_INVALID_ARG_TYPE, are bugs of ours. */
const ownErrors = /^ERR_(?!TLS|SSL|STREAM)/;

/** The connection failed, or the answer is not JSON. */
function isOutage({ name, code = '', statusCode }: SdkError): boolean {
  if (statusCode !== undefined) return statusCode >= 500 || temporary.test(code);
  if (name === 'TypeError' || name === 'RangeError') return false;
  return name === 'SyntaxError' || name === 'RequestTimeoutError' || (code !== '' && !ownErrors.test(code));
}

/** After a wrong signature, the cloud repeats the whole request that was signed. */
const repeatedRequest = /\s*server (CanonicalRequest|string to sign) is\b.*$/is;

const textOf = ({ data, message, code }: SdkError): string =>
  (data?.Message ?? data?.message ?? (message || code || 'no reason given')).replace(repeatedRequest, '');

/** What an error of the SDK means. A rejected key or a missing right says nothing about the stack: work on it waits. */
export function explainError(thrown: unknown, call: string): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const error: SdkError = thrown;
  const { code = '', statusCode = 0 } = error;
  const cause = { cause: thrown };
  const text = `${call}: ${code && `${code}: `}${textOf(error)}`;
  if (isOutage(error))
    return new Unreachable(statusCode >= 500 ? `${call}: status ${statusCode}` : text, cause);
  if (statusCode === 0) return thrown;
  if (rejectedKey.test(code)) {
    const [, meaning = ''] = keyMeanings.find(([pattern]) => pattern.test(code)) ?? [];
    return new CredentialRejected(`${meaning} (${text})`, cause);
  }
  if ((missingRight.test(code) || statusCode === 403) && !otherForbidden.test(code))
    return new CredentialRejected(
      `Permission denied: the key or its role lacks a permission (${text}). The command \`almanac alicloud-policy\` prints the policy of a key`,
      cause,
    );
  return new CloudError(code, textOf(error));
}

/** Whether the cloud has answered, whatever it says. */
export const isAnswer = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown as SdkError).statusCode !== undefined;

/** Whether a connection ended before an answer: reads are repeated once. */
export const isCutOff = (thrown: unknown): boolean =>
  thrown instanceof Error && /^(ECONNRESET|EPIPE|ECONNABORTED)$/.test((thrown as SdkError).code ?? '');

export const isCode = (error: unknown, pattern: RegExp): boolean =>
  error instanceof CloudError && pattern.test(error.code);

/** Whether the thing that a request names does not exist. */
const isGone = (error: unknown): boolean =>
  isCode(error, /NotFound|NotExist|^EntityNotExists|\.NotInScalingGroup$/);

/** Not `isGone`: other things that a request about a stack names, such as a role or a type, may be missing too. */
export const isStackGone = (error: unknown): boolean => isCode(error, /^StackNotFound$/);

/** The stack is doing something else. */
export const isBusy = (error: unknown): boolean => isCode(error, /^ActionInProgress$/);

/** Returns undefined if the thing that the request names does not exist. */
export async function ifThere<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    return undefined;
  }
}

/** For reads: if the cloud rejects one, nothing is known about the stack, and the cloud says why. */
export async function observing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
    throw new Unreachable(`${cause.code}: ${cause.message}`, { cause });
  }
}

/** Ends a change that cannot be requested. The message says why and what to do. */
export class Refusal extends Error {}

const advice: readonly [code: RegExp, text: string][] = [
  [
    /^QuotaExceeded|LimitExceeded/,
    'The account has reached a limit. Ask Alibaba Cloud for more (Quota Center), or delete a stack',
  ],
  [/^InvalidAccountStatus\.NotEnoughBalance$/, 'The balance of the account is too low. Add funds'],
];

/** The words of the cloud, with what to do where that is known. */
export function explain(code: string, message: string): string {
  const text = [code, message.replace(/\.$/, '')].filter(Boolean).join(': ');
  const [, help] = advice.find(([pattern]) => pattern.test(code)) ?? [];
  return help === undefined ? text : `${help} (${text})`;
}

/** For changes: a rejection becomes a refused answer. A rejected credential does not answer the request, which waits. */
export async function toAnswer(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Refusal) return refused(cause.message);
    if (!(cause instanceof CloudError)) throw cause;
    return refused(explain(cause.code, cause.message));
  }
}

/** For changes of a stack that was read before: if it is busy or gone since, the next observation shows it, and the change is repeated. */
export const toStackAnswer = (call: () => Promise<Answer>): Promise<Answer> =>
  toAnswer(async () => {
    try {
      return await call();
    } catch (cause) {
      if (isBusy(cause) || isStackGone(cause)) return accepted;
      throw cause;
    }
  });
