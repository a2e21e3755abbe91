import { publicClientId } from '../../../contract/client-kinds.ts';
import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import type { SignIn } from '../../net/request-token.ts';
import { askLine, askSecret } from '../../prompt/prompt.ts';

interface Source {
  flag: string;
  variable: string;
  prompt: string;
}

/** A name and its secret. */
interface Pair {
  name: Source;
  secret: Source;
}

const client: Pair = {
  name: { flag: 'client-id', variable: 'ALM_CLIENT_ID', prompt: 'Client ID: ' },
  secret: { flag: 'client-secret', variable: 'ALM_CLIENT_SECRET', prompt: 'Client secret: ' },
};
const user: Pair = {
  name: { flag: 'username', variable: 'ALM_USERNAME', prompt: 'Username: ' },
  secret: { flag: 'password', variable: 'ALM_PASSWORD', prompt: 'Password: ' },
};

function flagValue({ args }: Context, flag: string): string | undefined {
  const value = args.text(flag);
  if (value === '') throw usageError(`--${flag} is empty.`, 'Omit it to be prompted.');
  return value;
}

/** Reads a pair from the flags, then the environment, then a prompt. */
async function readPair(context: Context, { name, secret }: Pair): Promise<[string, string]> {
  const { env } = context.system;
  const alternative = ({ flag, variable }: Source): string => `--${flag} or ${variable}`;
  const nameValue =
    flagValue(context, name.flag) ??
    (env[name.variable] || (await askLine(context.system, name.prompt, alternative(name))));
  // A secret in the environment belongs to the name in the environment and must not be sent with another one.
  const isForName = !env[name.variable] || env[name.variable] === nameValue;
  const secretValue =
    flagValue(context, secret.flag) ??
    ((isForName && env[secret.variable]) ||
      (await askSecret(context.system, secret.prompt, alternative(secret))));
  return [nameValue, secretValue];
}

/** Users need no API client: without one, they sign in through the client of the command line, which has no secret. */
async function readClient(
  context: Context,
  isClientOnly: boolean,
): Promise<Pick<SignIn, 'clientId' | 'clientSecret'>> {
  const { name } = client;
  const given = flagValue(context, name.flag) ?? context.system.env[name.variable];
  const isPublic = given === publicClientId || (!given && !context.args.has('client-secret'));
  if (isPublic && !isClientOnly) return { clientId: publicClientId };
  const [clientId, clientSecret] = await readPair(context, client);
  return { clientId, clientSecret };
}

/** Collects the credentials to sign in with. */
export async function askCredentials(context: Context): Promise<SignIn> {
  const isClientOnly = context.args.text('grant-type') === 'client_credentials';
  const invalid = ['username', 'password'].find((flag) => isClientOnly && context.args.has(flag));
  if (invalid)
    throw usageError(
      `--${invalid} is not valid with --grant-type client_credentials: the client signs in without a user.`,
      'Remove one of them.',
    );
  const signIn = await readClient(context, isClientOnly);
  if (isClientOnly) return signIn;
  const [username, password] = await readPair(context, user);
  return { ...signIn, username, password };
}
