import {
  addressOf,
  type CallInput,
  isDocument,
  isErrorBody,
  type LooseInput,
} from '../../contract/client.ts';
import type { Route, SuccessOf } from '../../contract/route.ts';
import { serviceAddress } from './base.ts';
import { CallFailed, NoAnswer } from './failure.ts';
import { proofGate } from './proof-gate.ts';
import { signedInAgain } from './sign-in-gate.ts';

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

const headersOf = ({ headers = {}, body }: LooseInput): Headers => {
  const result = new Headers({ accept: 'application/json' });
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  if (body === undefined) return result;
  result.set(
    'content-type',
    isDocument(body) && body.format === 'yaml' ? 'application/x-yaml' : 'application/json',
  );
  return result;
};

const textOf = (body: unknown): string => (isDocument(body) ? body.text : JSON.stringify(body));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const failureOf = async (response: Response): Promise<CallFailed> => {
  const body = parsed(await response.text());
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new CallFailed({
    status: response.status,
    body: isErrorBody(body) ? body : null,
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
  });
};

export interface LooseCall extends LooseInput {
  method: string;
  path: string;
}

async function send({ method, path, ...input }: LooseCall): Promise<Response> {
  try {
    return await fetch(addressOf(serviceAddress(), { path: path as Route['path'] }, input), {
      method,
      headers: headersOf(input),
      credentials: 'same-origin',
      ...(input.body === undefined ? {} : { body: textOf(input.body) }),
      ...(input.signal ? { signal: input.signal } : {}),
    });
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new NoAnswer(error);
  }
}

/** Sends a request. Waits until the user has signed in again, or has confirmed with the password, and repeats it. */
export async function open(request: LooseCall): Promise<Response> {
  const response = await send(request);
  if (response.status === 401) {
    await signedInAgain();
    return open(request);
  }
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.body?.error === 'proof_required' && (await proofGate.wait())) return open(request);
  throw failure;
}

/**
 * Calls a route, which is named only as a type argument: `exchange<typeof listStacks>('GET', '/v3/alm/stack')`. The compiler
 * checks method, path, input and answer; the contract itself is not in the bundle.
 */
export async function exchange<R extends Route>(
  method: R['method'],
  path: R['path'],
  input?: CallInput<R>,
): Promise<Answer<SuccessOf<R>>> {
  const response = await open({ method, path, ...(input as LooseInput | undefined) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    // The contract defines the answer of the route.
    body: (text === '' ? null : parsed(text)) as SuccessOf<R>,
  };
}

export const call = async <R extends Route>(
  method: R['method'],
  path: R['path'],
  input?: CallInput<R>,
): Promise<SuccessOf<R>> => (await exchange<R>(method, path, input)).body;

/** A request that must not open the sign-in dialog: those of the sign-in itself. */
export async function callAsAnyone(request: LooseCall): Promise<unknown> {
  const response = await send(request);
  if (!response.ok) throw await failureOf(response);
  const text = await response.text();
  return text === '' ? null : parsed(text);
}
