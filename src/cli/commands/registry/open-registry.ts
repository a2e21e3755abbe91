import { CliError } from '../../cli-error.ts';
import type { Context } from '../../command.ts';
import { hostOf } from '../../registry/host.ts';
import { fullName, type ImageReference, parseImage } from '../../registry/image.ts';
import { Registry } from '../../registry/registry.ts';
import { RegistryUser } from '../../registry/registry-user.ts';
import { askServer, loginToken, type ServerRegistry } from '../../registry/server-registry.ts';
import { TokenService } from '../../registry/token-service.ts';
import { defaults } from '../../settings/settings.ts';

export const catalogScope = 'registry:catalog:*';

/** A registry that a command works with. */
export interface OpenRegistry {
  /** With the address of the registry in its settings. */
  context: Context;
  user: RegistryUser;
  /** Null: the service issues no registry tokens. */
  server: ServerRegistry | null;
  /** Whether the service answers for its registry, with the login of alm. Otherwise the registry itself is asked. */
  usesService: boolean;
}

/** Whether a flag, the environment or the profile names the registry. */
export const isRegistryGiven = ({ args, system, settings }: Context): boolean =>
  args.has('rurl') ||
  Boolean(system.env['ALM_REGISTRY_URL']) ||
  settings.registry_url !== defaults.registry_url;

/** Not every command has these flags. */
const isGiven = ({ command, args }: Context, flag: string): boolean =>
  command.flags.some(({ name }) => name === flag) && args.has(flag);

/** These flags are about tokens of the registry, so they are used as existing clients use them. */
const accessFlags = ['username', 'password', 'service', 'scope'];

/** Whether a user is named that differs from the one of the login. */
const namesUser = (context: Context): boolean => isGiven(context, 'username') || isGiven(context, 'password');

export async function openRegistry(given: Context): Promise<OpenRegistry> {
  const token = namesUser(given) ? null : await loginToken(given);
  const server = await askServer(given, token);
  const url = isRegistryGiven(given)
    ? given.settings.registry_url
    : (server?.url ?? given.settings.registry_url);
  const context: Context = { ...given, settings: { ...given.settings, registry_url: url } };
  const isOwn = Boolean(server?.url) && hostOf(server?.url ?? '') === hostOf(url);
  const usesService = isOwn && token !== null && !accessFlags.some((flag) => isGiven(given, flag));
  return { context, user: new RegistryUser(context), server, usesService };
}

/** `--scope`, or the scope that the command needs. */
export const scopeFor = ({ args }: Context, needed: string): string => args.text('scope') || needed;

export const registryFor = ({ context, user, server }: OpenRegistry, neededScope: string): Registry =>
  new Registry(context, new TokenService(context, user, server), scopeFor(context, neededScope));

const noNamespace = (): CliError =>
  new CliError('usage', 'You have no namespace in the registry, so the name of the image needs one.', {
    hints: [
      'Use --image <namespace>/<name>',
      'API clients have none, nor users whose name has other characters than a-z, 0-9 and . _ - in between.',
    ],
  });

/** What the service says, else the user name, as existing clients do. */
async function namespaceIn({ context, user, server }: OpenRegistry): Promise<string> {
  if (server === null || namesUser(context)) return user.username();
  if (server.user?.namespace) return server.user.namespace;
  if (await loginToken(context)) throw noNamespace();
  return user.username();
}

/** The image that `--image` names, in the registry of the command. */
export async function openImage(
  given: Context,
): Promise<{ image: ImageReference; name: string; opened: OpenRegistry }> {
  const opened = await openRegistry(given);
  const { context } = opened;
  const image = parseImage(context.args.required('image'), context.settings.registry_url);
  const name = await fullName(image, () => namespaceIn(opened));
  return { image, name, opened };
}

/** The registry itself, opened for these actions on the image. */
export const registryOfImage = (opened: OpenRegistry, name: string, actions: string): Registry =>
  registryFor(opened, `repository:${name}:${actions}`);

/** The image in the registry of the service, for what only the service knows. Any tag is left out. */
export async function openOwnImage(given: Context): Promise<{ context: Context; name: string }> {
  const { name, opened } = await openImage(given);
  const { context, server } = opened;
  // A request that fails says better what is missing: a login, a registry.
  if (opened.usesService || !isRegistryGiven(given)) return { context, name };
  throw new CliError(
    'refused',
    `${context.settings.registry_url} is not the registry of ${context.settings.api_url}.`,
    {
      lines: server?.url ? [`Its registry is ${server.url}.`] : [],
      hints: ['Only Almanac can do this, for its own registry.'],
    },
  );
}
