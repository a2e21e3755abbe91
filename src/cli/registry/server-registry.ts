import { isObject } from '../../basics/is-object.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../command.ts';
import { ApiError } from '../net/api-error.ts';
import { below, exchange, isSuccessful } from './exchange.ts';

/** What the service says about its registry and about the caller. */
export interface ServerRegistry {
  /** As container tools reach it. Null: the service has no registry, but issues tokens. */
  url: string | null;
  /** Service name that its tokens are for. */
  service: string;
  /** Null: nobody is signed in, or an API client. */
  user: { name: string; namespace: string | null } | null;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function readSession(text: string): ServerRegistry | null {
  const session = parse(text);
  if (!isObject(session) || !isObject(session['registry'])) return null;
  const { user, registry } = session;
  const name = isObject(user) ? textOrNull(user['name']) : null;
  return {
    url: textOrNull(registry['url']),
    service: textOrNull(registry['service']) ?? '',
    user: isObject(user) && name !== null ? { name, namespace: textOrNull(user['namespace']) } : null,
  };
}

/** The token of the login; null if there is none. */
export async function loginToken({ tokens }: Pick<Context, 'tokens'>): Promise<string | null> {
  try {
    return await tokens.token();
  } catch (error) {
    if (error instanceof CliError && error.exitReason !== 'interrupted') return null;
    throw error;
  }
}

const isFailure = (status: number): boolean => status >= 500 || status === 429;

async function ask(context: Context, token: string | null): Promise<ServerRegistry | null> {
  const url = below(context.settings.api_url, '/v3/session');
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await exchange(context, { method: 'GET', url, headers });
  if (isFailure(response.status)) throw new ApiError(response);
  return isSuccessful(response) ? readSession(response.text) : null;
}

interface Question {
  /** Null: nobody is signed in. */
  token: string | null;
  /** Whether the service must answer, because nothing else names the registry. */
  isRequired: boolean;
}

/** Null: the service is another one, or issues no registry tokens. The registry is then used by itself, as it is if no answer is required. */
export async function askServer(
  context: Context,
  { token, isRequired }: Question,
): Promise<ServerRegistry | null> {
  try {
    const found = await ask(context, token);
    // A rejected token gets the session of nobody. An API client has none either.
    if (found === null || found.user !== null || token === null) return found;
    const renewed = await context.tokens.renew(token);
    return renewed === null ? found : await ask(context, renewed);
  } catch (error) {
    if (!isRequired && error instanceof CliError && error.exitReason !== 'interrupted') return null;
    throw error;
  }
}
