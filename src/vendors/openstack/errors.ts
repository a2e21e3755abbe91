import { isObject } from '../../basics/is-object.ts';
import { type Answer, CredentialRejected, refused, Unreachable } from '../vendor.ts';
import { explain } from './rest/explain.ts';

interface ErrorText {
  /** The service's own name of the error; empty if it has none. */
  type: string;
  message: string;
}

/** An answer that rejects a request. */
export class CloudError extends Error {
  readonly service: string;
  readonly status: number;
  readonly type: string;
  /** The service itself says that what the request names does not exist. Anything on the way may give another answer with 404. */
  readonly namesMissing: boolean;

  constructor(
    service: string,
    status: number,
    { type, message, namesMissing = false }: ErrorText & { namesMissing?: boolean },
  ) {
    super(message);
    this.service = service;
    this.status = status;
    this.type = type;
    this.namesMissing = namesMissing;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Without markup: some services, and proxies in front of them, answer with a page. */
const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** Every service has its own form: Heat and Keystone `error`, Neutron `NeutronError`, Octavia `faultstring`, Nova one named by the error. */
export function readError(body: unknown, text: string): ErrorText {
  if (!isObject(body)) return { type: '', message: plain(text) || 'no reason given' };
  const inner = Object.values(body).find((it) => isObject(it) && 'message' in it);
  if (!isObject(inner)) return { type: '', message: textOf(body['faultstring']) || plain(text) };
  return { type: textOf(inner['type']) || textOf(inner['title']), message: textOf(inner['message']) };
}

/**
 * Whether an answer has the form in which Nova and Trove, or Heat, do not find a thing. That of gateways, and of the services'
 * own routers for a path that they do not know, differs.
 */
export function doesNameMissing(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { itemNotFound: item, error } = body;
  if (isObject(item)) return item['code'] === 404;
  return isObject(error) && /^(?!HTTP)\w+NotFound$/.test(textOf(error['type']));
}

export const isType = (error: unknown, ...types: readonly string[]): boolean =>
  error instanceof CloudError && types.includes(error.type);

/** Whether the thing that a request names does not exist. */
export const isGone = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.status === 404;

/** A rejected token or role says nothing about the stack: work on it waits until a person changes the credential. */
export const accessRejected = (error: CloudError): CredentialRejected | undefined => {
  const text = `(${error.service}: ${error.message})`;
  if (error.status === 401)
    return new CredentialRejected(`The cloud rejects the token ${text}`, { cause: error });
  if (error.status === 403)
    return new CredentialRejected(
      `Permission denied: the user lacks a role in the project ${text}. See the roles in docs/vendors/openstack.md`,
      { cause: error },
    );
  return undefined;
};

/** Whether the user lacks the role for a request. */
export const isDenied = (error: unknown): boolean =>
  error instanceof CredentialRejected && error.cause instanceof CloudError && error.cause.status === 403;

/** For reads: if the cloud rejects one, nothing is known about the stack, and the cloud says why. */
export async function observing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!(cause instanceof CloudError)) throw cause;
    throw new Unreachable(`Service ${cause.service} answers ${cause.status}: ${cause.message}`, { cause });
  }
}

/** Returns undefined if the thing that the request names does not exist. */
export async function ifThere<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    return undefined;
  }
}

/** As `ifThere`, where data depends on the answer: a proxy in front of a service answers 404 too, and a service does at a wrong path. */
export const unlessDeleted = <T>(call: () => Promise<T>): Promise<T | undefined> =>
  ifThere(async () => {
    try {
      return await call();
    } catch (cause) {
      if (!isGone(cause) || cause.namesMissing) throw cause;
      throw new Unreachable(`Service ${cause.service} answers 404 without saying what is missing`, { cause });
    }
  });

/** Ends a change that cannot be requested. The message says why and what to do. */
export class Refusal extends Error {}

/** For changes: a rejection becomes a refused answer. A rejected credential does not answer the request, which waits. */
export async function toAnswer(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof Refusal) return refused(cause.message);
    if (!(cause instanceof CloudError)) throw cause;
    return refused(explain(cause.message));
  }
}
