import { publicClientId } from '../../contract/client-kinds.ts';
import type { Context } from '../command.ts';
import { Api, type TokenSource } from '../net/api.ts';
import { requestToken } from '../net/request-token.ts';
import { RegistryUser } from './registry-user.ts';

/** Not every command has these flags. */
export const isGiven = ({ command, args }: Context, flag: string): boolean =>
  command.flags.some(({ name }) => name === flag) && args.has(flag);

/** Whether a user is named that may differ from the one of the login. */
export const namesUser = (context: Context): boolean =>
  isGiven(context, 'username') || isGiven(context, 'password');

/** The context of the user that `--username` and `--password` name, else of the login. */
export async function asNamedUser(context: Context): Promise<Context> {
  if (!namesUser(context)) return context;
  const { system, settings, trace } = context;
  const login = await new RegistryUser(context).login(new URL(settings.api_url));
  const { token } = await requestToken(context, { clientId: publicClientId, ...login });
  const tokens: TokenSource = { token: async () => token, renew: async () => null };
  return { ...context, tokens, api: new Api({ system, settings, tokens, trace }) };
}
