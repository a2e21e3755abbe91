import type { Run } from '../../command.ts';
import { TokenService } from '../../registry/token-service.ts';
import { catalogScope, openRegistry, scopeFor } from './open-registry.ts';

const formatLifetime = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;

/** Prints only the token to standard output, for TOKEN=$(alm registry token). */
export const showToken: Run = async (given) => {
  const { context, user, server } = await openRegistry(given);
  const { out } = context;
  const scope = scopeFor(context, catalogScope);
  const { token, seconds, text } = await new TokenService(context, user, server).token(scope);
  out.keepPrivate();
  if (out.format === 'table') out.data(`${token}\n`);
  else await out.document(text);
  out.info(`The token is valid for ${formatLifetime(seconds)}; scope: ${scope}`);
};
