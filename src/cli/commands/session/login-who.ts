import { usageError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import type { SignIn } from '../../net/request-token.ts';
import { askLine, askSecret } from '../../prompt/prompt.ts';

/** A name and the secret that belongs to it. */
interface Pair {
  name: { flag: string; variable: string; label: string };
  secret: { flag: string; variable: string; label: string };
}

const client: Pair = {
  name: { flag: 'client-id', variable: 'ALM_CLIENT_ID', label: 'Client ID: ' },
  secret: { flag: 'client-secret', variable: 'ALM_CLIENT_SECRET', label: 'Client secret: ' },
};
const user: Pair = {
  name: { flag: 'username', variable: 'ALM_USERNAME', label: 'Username: ' },
  secret: { flag: 'password', variable: 'ALM_PASSWORD', label: 'Password: ' },
};

function flagValue({ args }: Context, flag: string): string | undefined {
  const value = args.text(flag);
  if (value === '') throw usageError(`--${flag} is empty.`, 'Leave it out to be asked for it.');
  return value;
}

/** From the flags, then the environment, then whoever can be asked. */
async function answers(context: Context, { name, secret }: Pair): Promise<[string, string]> {
  const { env } = context.system;
  const instead = ({ flag, variable }: Pair['name']): string => `--${flag} or ${variable}`;
  const whose =
    flagValue(context, name.flag) ??
    (env[name.variable] || (await askLine(context.system, name.label, instead(name))));
  // A secret in the environment belongs to the name there, and opens nothing to another.
  const kept = !env[name.variable] || env[name.variable] === whose ? env[secret.variable] : undefined;
  const word =
    flagValue(context, secret.flag) ??
    (kept || (await askSecret(context.system, secret.label, instead(secret))));
  return [whose, word];
}

/** Who signs in. What is neither given nor in the environment is asked for. */
export async function whoSignsIn(context: Context): Promise<SignIn> {
  const isClientAlone = context.args.text('grant-type') === 'client_credentials';
  const tooMuch = ['username', 'password'].find((flag) => isClientAlone && context.args.has(flag));
  if (tooMuch)
    throw usageError(
      `--${tooMuch} does not go together with --grant-type client_credentials: the client signs in alone.`,
      'Leave one of them out.',
    );
  const [clientId, clientSecret] = await answers(context, client);
  if (isClientAlone) return { clientId, clientSecret };
  const [username, password] = await answers(context, user);
  return { clientId, clientSecret, username, password };
}
