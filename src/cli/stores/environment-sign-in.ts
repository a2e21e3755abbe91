import { publicClientId } from '../../contract/client-kinds.ts';
import { CliError } from '../cli-error.ts';
import type { SignIn } from '../net/request-token.ts';
import type { Environment } from '../system.ts';

/** Variables that are used together. */
const pairs = [
  ['ALM_USERNAME', 'ALM_PASSWORD'],
  ['ALM_CLIENT_ID', 'ALM_CLIENT_SECRET'],
] as const;

/** `ALM_USERNAME is set, but ALM_PASSWORD is not.` */
export const incompletePairs = (env: Environment): string[] =>
  pairs.flatMap(([one, other]) => {
    if (Boolean(env[one]) === Boolean(env[other])) return [];
    const [set, missing] = env[one] ? [one, other] : [other, one];
    return [`${set} is set, but ${missing} is not.`];
  });

/** The user in the environment, who comes before a saved login; null if there is none. */
export function userFromEnvironment(env: Environment): SignIn | null {
  const { ALM_USERNAME: username, ALM_PASSWORD: password } = env;
  const client = clientFromEnvironment(env);
  if (username && password) return { ...(client ?? { clientId: publicClientId }), username, password };
  const [incomplete] = incompletePairs({ ALM_USERNAME: username, ALM_PASSWORD: password });
  if (client && incomplete)
    throw new CliError('signIn', incomplete, {
      hints: ['Set both to sign in as a user, or neither to sign in as the API client.'],
    });
  return null;
}

/**
 * The API client in the environment; null if there is none. It comes after a saved login: `alm login` reads the same
 * variables, so that they are often still set.
 */
export function clientFromEnvironment(env: Environment): SignIn | null {
  const { ALM_CLIENT_ID: clientId, ALM_CLIENT_SECRET: clientSecret } = env;
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}
